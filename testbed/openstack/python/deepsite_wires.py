"""Replaces Neutron's agents on the host of real guests. Each network with a router gets what the Linux bridge, DHCP and
L3 agents would create: its bridge, and a network namespace with the gateway's address, dnsmasq, the interface to the external
network and NAT for floating addresses. Security groups are not enforced; a router joins one network.

    deepsite_wires.py STATE/wires URL

Polls Neutron every two seconds. Records what it creates in STATE/wires/made first, for removal.
"""
import hashlib
import ipaddress
import os
import subprocess
import sys
import time

import prepare

OUTSIDE = "dsos-ext"


def run(*command, text=None, check=True):
    return subprocess.run(command, input=text, text=True, check=check, capture_output=True).stdout


class Wires:
    def __init__(self, folder, url):
        state = os.path.dirname(folder)
        self.folder = folder
        self.short = hashlib.sha256(state.encode()).hexdigest()[:6]
        self.login = lambda: prepare.Cloud(url, "admin", prepare.password_at(state, "admin"), "admin")
        self.cloud = self.login()
        self.since = time.monotonic()
        self.done = {}
        self.servers = {}
        os.makedirs(self.folder, exist_ok=True)

    def note(self, kind, name):
        with open(os.path.join(self.folder, "made"), "a", encoding="ascii") as file:
            file.write("%s %s\n" % (kind, name))

    def list(self, what):
        return self.cloud.call("GET", 9696, "/v2.0/" + what).json()[what]

    def look(self):
        """The desired state: by network, everything in its namespace."""
        if time.monotonic() - self.since > 1800:
            self.cloud, self.since = self.login(), time.monotonic()
        ports = self.list("ports")
        subnets = {subnet["id"]: subnet for subnet in self.list("subnets")}
        routers = {router["id"]: router for router in self.list("routers")}
        wanted = {}
        for port in ports:
            fixed = port["fixed_ips"]
            if not port["device_owner"].startswith("network:router_interface") or not fixed:
                continue
            subnet = subnets[fixed[0]["subnet_id"]]
            if subnet["ip_version"] != 4:
                continue
            gateway = (routers[port["device_id"]].get("external_gateway_info") or {}).get("external_fixed_ips") or []
            wanted[port["network_id"]] = {
                "gateway": "%s/%s" % (fixed[0]["ip_address"], ipaddress.ip_network(subnet["cidr"]).prefixlen),
                "cidr": subnet["cidr"],
                "leases": sorted((one["mac_address"], address["ip_address"])
                                 for one in ports if one["network_id"] == port["network_id"]
                                 and one["device_owner"].startswith("compute:")
                                 for address in one["fixed_ips"] if address["subnet_id"] == subnet["id"]),
                "outside": [self.outside(subnets[one["subnet_id"]], one["ip_address"]) for one in gateway],
                "floating": sorted((one["floating_ip_address"], one["fixed_ip_address"])
                                   for one in self.list("floatingips")
                                   if one["fixed_ip_address"] and one["router_id"] == port["device_id"]),
            }
        return wanted

    @staticmethod
    def outside(subnet, address):
        return {"address": address, "prefix": ipaddress.ip_network(subnet["cidr"]).prefixlen, "gateway": subnet["gateway_ip"]}

    def names(self, network):
        return "brq" + network[:11], "dsos-%s-%s" % (self.short, network[:8]), "dsi" + network[:8], "dso" + network[:8]

    def make(self, network, wanted):
        bridge, namespace, inner, outer = self.names(network)
        self.note("link", bridge)
        self.note("link", inner)
        self.note("netns", namespace)
        if run("ip", "-o", "link", "show", bridge, check=False) == "":
            run("ip", "link", "add", bridge, "type", "bridge")
        run("ip", "link", "set", bridge, "up")
        run("ip", "netns", "add", namespace)
        run("ip", "link", "add", inner, "type", "veth", "peer", "name", "in0", "netns", namespace)
        run("ip", "link", "set", inner, "master", bridge, "up")
        self.inside(namespace, "ip", "link", "set", "lo", "up")
        self.inside(namespace, "ip", "link", "set", "in0", "up")
        self.inside(namespace, "ip", "address", "add", wanted["gateway"], "dev", "in0")
        self.inside(namespace, "sh", "-c", "echo 1 >/proc/sys/net/ipv4/ip_forward")
        for leg in wanted["outside"]:
            self.outside_bridge(leg)
            self.note("link", outer)
            run("ip", "link", "add", outer, "type", "veth", "peer", "name", "out0", "netns", namespace)
            run("ip", "link", "set", outer, "master", OUTSIDE, "up")
            self.inside(namespace, "ip", "link", "set", "out0", "up")
            self.inside(namespace, "ip", "address", "add", "%(address)s/%(prefix)s" % leg, "dev", "out0")
            self.inside(namespace, "ip", "route", "replace", "default", "via", leg["gateway"])
        leases = os.path.join(self.folder, namespace)
        os.makedirs(leases, exist_ok=True)
        network_of = ipaddress.ip_network(wanted["cidr"])
        self.servers[network] = subprocess.Popen([
            "ip", "netns", "exec", namespace, "dnsmasq", "--keep-in-foreground", "--conf-file=/dev/null", "--port=0",
            "--user=root", "--interface=in0", "--bind-interfaces", "--leasefile-ro",
            "--dhcp-range=%s,static,%s,infinite" % (network_of.network_address, network_of.netmask),
            "--dhcp-option=option:router," + wanted["gateway"].split("/")[0], "--dhcp-hostsdir=" + leases])

    def outside_bridge(self, leg):
        if run("ip", "-o", "link", "show", OUTSIDE, check=False) == "":
            self.note("link", OUTSIDE)
            run("ip", "link", "add", OUTSIDE, "type", "bridge")
            run("ip", "link", "set", OUTSIDE, "up")
        # Each external network has its own gateway; all of them are here.
        run("ip", "address", "replace", "%(gateway)s/%(prefix)s" % leg, "dev", OUTSIDE)

    @staticmethod
    def inside(namespace, *command, text=None, check=True):
        return run("ip", "netns", "exec", namespace, *command, text=text, check=check)

    def fill(self, network, wanted):
        """Current leases and floating addresses."""
        _, namespace, _, _ = self.names(network)
        leases = os.path.join(self.folder, namespace)
        for mac, address in wanted["leases"]:
            # dnsmasq reads files that are moved into this folder.
            with open(os.path.join(self.folder, "lease"), "w", encoding="ascii") as file:
                file.write("%s,%s,infinite\n" % (mac, address))
            os.rename(file.name, os.path.join(leases, mac.replace(":", "-")))
        for floating, _ in wanted["floating"]:
            self.inside(namespace, "ip", "address", "replace", floating + "/32", "dev", "out0")
        into = "\n".join("ip daddr %s dnat to %s" % pair for pair in wanted["floating"])
        out = "\n".join('ip saddr %s oifname "out0" snat to %s' % (fixed, floating) for floating, fixed in wanted["floating"])
        self.inside(namespace, "nft", "-f", "-", text=(
            "table ip nat\ndelete table ip nat\ntable ip nat {\n"
            "chain into { type nat hook prerouting priority -100\n%s\n}\n"
            "chain out { type nat hook postrouting priority 100\n%s\n}\n}\n" % (into, out)))

    def remove(self, network):
        bridge, namespace, inner, outer = self.names(network)
        server = self.servers.pop(network)
        server.terminate()
        server.wait()
        run("ip", "netns", "delete", namespace, check=False)
        for link in (inner, outer, bridge):
            run("ip", "link", "delete", link, check=False)

    def turn(self):
        wanted = self.look()
        for network in set(self.done) - set(wanted):
            self.remove(network)
            del self.done[network]
        for network, now in wanted.items():
            shape = {key: now[key] for key in ("gateway", "cidr", "outside")}
            before = self.done.get(network)
            if before and {key: before[key] for key in shape} != shape:
                self.remove(network)
                before = None
            if not before:
                self.make(network, now)
            if before != now:
                self.fill(network, now)
                self.done[network] = now
                print("wired", network, now, flush=True)


def main(folder, url):
    wires = Wires(folder, url)
    while True:
        try:
            wires.turn()
        except (subprocess.CalledProcessError, OSError, KeyError, SystemExit) as fault:
            # A site being deleted changes between two lists; Neutron's refusals are ignored.
            print(fault, getattr(fault, "stderr", ""), flush=True)
            # With a new login: a token created in the second in which the administrator's password was set is invalid.
            wires.since = float("-inf")
        time.sleep(2)


if __name__ == "__main__":
    main(*sys.argv[1:3])
