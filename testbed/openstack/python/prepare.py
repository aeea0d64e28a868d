"""Creates the initial content of the testbed's cloud through its own APIs.

    prepare.py identity STATE URL     passwords, projects, users, the catalogue; writes STATE/../clouds.yaml
    prepare.py resources STATE URL    flavors, zones, the image, the external network

Runs once per start, on new databases. Passwords come from files or are generated here; none is on a command line.
"""
import os
import secrets
import sys

import requests

REGION = "RegionOne"
SERVICES = {
    "keystone": ("identity", 5000, "/v3"), "nova": ("compute", 8774, "/v2.1"), "neutron": ("network", 9696, ""),
    "glance": ("image", 9292, ""), "placement": ("placement", 8778, ""),
    "cinderv3": ("volumev3", 8776, "/v3/%(project_id)s"),
}
# name: cpus, MiB, GiB, extra specs. Small, middle, large; cards; one that fits on no host; ones that fail once, or in one zone, and then
# work.
FLAVORS = {
    "small": (1, 512, 5, {}),
    "medium": (2, 2048, 10, {}),
    "large": (4, 8192, 20, {}),
    "gpu-t4": (2, 4096, 20, {"pci_passthrough:alias": "t4:1"}),
    "gpu-t4-2": (4, 8192, 20, {"pci_passthrough:alias": "t4:2"}),
    "gpu-a100": (8, 16384, 20, {"pci_passthrough:alias": "a100:1"}),
    "vgpu": (2, 4096, 20, {"resources:VGPU": "1"}),
    "nowhere": (1, 512, 100000, {}),
    "fails-first": (1, 512, 5, {"standin:fail_first": "true"}),
    "fails-in-zone": (1, 512, 5, {"standin:fail_first": "zone"}),
}
ZONES = {"east": ["cpu1", "gpu1"], "west": ["cpu2"]}


class Cloud:
    """One user's view of the APIs."""

    def __init__(self, url, user, password, project):
        self.url = url
        self.http = requests.Session()
        self.http.trust_env = False
        identity = {"methods": ["password"], "password": {
            "user": {"name": user, "domain": {"id": "default"}, "password": password}}}
        scope = {"project": {"name": project, "domain": {"id": "default"}}}
        answer = self.call("POST", 5000, "/v3/auth/tokens", {"auth": {"identity": identity, "scope": scope}})
        self.http.headers["X-Auth-Token"] = answer.headers["X-Subject-Token"]
        self.user = answer.json()["token"]["user"]["id"]

    def call(self, method, port, path, body=None, **options):
        answer = self.http.request(method, "%s:%d%s" % (self.url, port, path), json=body, timeout=600, **options)
        if answer.status_code >= 300:
            sys.exit("prepare: %s %s:%d%s: %d %s" % (method, self.url, port, path, answer.status_code, answer.text.strip()))
        return answer

    def make(self, port, path, kind, **values):
        """Creates and returns the object that the API names after its kind."""
        return self.call("POST", port, path, {kind: values}).json()[kind]


def clouds_file(state):
    return os.path.join(os.path.dirname(state), "clouds.yaml")


def read(state, name):
    with open(os.path.join(state, name), encoding="ascii") as file:
        return file.read().strip()


def identity(state, url):
    admin_password = secrets.token_urlsafe(24)
    tenant_password = secrets.token_urlsafe(24)
    admin = Cloud(url, "admin", read(state, "first-password"), "admin")
    roles = {role["name"]: role["id"] for role in admin.call("GET", 5000, "/v3/roles").json()["roles"]}

    def project(name):
        return admin.make(5000, "/v3/projects", "project", name=name, domain_id="default")["id"]

    def user(name, password, of, role):
        made = admin.make(5000, "/v3/users", "user", name=name, password=password, domain_id="default")["id"]
        admin.call("PUT", 5000, "/v3/projects/%s/users/%s/roles/%s" % (of, made, roles[role]))

    user("service", read(state, "service-password"), project("service"), "admin")
    user("deepsite", tenant_password, project("lab"), "member")
    project("closed")  # a project in which the tenant has no role
    known = {service["type"]: service["id"] for service in admin.call("GET", 5000, "/v3/services").json()["services"]}
    for name, (kind, port, path) in SERVICES.items():
        service = known.get(kind) or admin.make(5000, "/v3/services", "service", name=name, type=kind)["id"]
        for interface in ("public", "internal"):
            admin.make(5000, "/v3/endpoints", "endpoint", service_id=service, interface=interface, region_id=REGION,
                       url="%s:%d%s" % (url, port, path))

    tenant = Cloud(url, "deepsite", tenant_password, "lab")
    application = tenant.make(5000, "/v3/users/%s/application_credentials" % tenant.user, "application_credential",
                              name="deepsite", roles=[{"name": "member"}])
    # Last: Keystone revokes all tokens of the user, even one created within the same second.
    admin.call("PATCH", 5000, "/v3/users/" + admin.user, {"user": {"password": admin_password}})
    os.unlink(os.path.join(state, "first-password"))
    write_clouds(state, url, admin_password, tenant_password, application)


def write_clouds(state, url, admin_password, tenant_password, application):
    def by_password(user, password, project):
        return {"auth_url": url + ":5000/v3", "username": user, "password": password, "project_name": project,
                "user_domain_name": "Default", "project_domain_name": "Default"}

    clouds = {
        "admin": (None, by_password("admin", admin_password, "admin")),
        "tenant": (None, by_password("deepsite", tenant_password, "lab")),
        "tenant-app": ("v3applicationcredential", {
            "auth_url": url + ":5000/v3", "application_credential_id": application["id"],
            "application_credential_secret": application["secret"]}),
        "wrong-password": (None, by_password("deepsite", secrets.token_urlsafe(24), "lab")),
        "no-role": (None, by_password("deepsite", tenant_password, "closed")),
    }
    lines = ["# The clouds of testbed/openstack; rewritten at each start.", "clouds:"]
    for name, (kind, auth) in clouds.items():
        lines += ["  %s:" % name, "    region_name: " + REGION, "    identity_api_version: 3"]
        if kind:
            lines.append("    auth_type: " + kind)
        lines.append("    auth:")
        lines += ['      %s: "%s"' % pair for pair in auth.items()]
    with open(os.open(clouds_file(state), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="ascii") as file:
        file.write("\n".join(lines) + "\n")


def password_at(state, cloud):
    """From clouds.yaml, like any client of this cloud."""
    import yaml
    with open(clouds_file(state), encoding="ascii") as file:
        return yaml.safe_load(file)["clouds"][cloud]["auth"]["password"]


def upload(admin, file, name, disk, container, **properties):
    image = admin.call("POST", 9292, "/v2/images", dict(
        properties, name=name, disk_format=disk, container_format=container, visibility="public")).json()
    with open(file, "rb") as data:
        admin.call("PUT", 9292, "/v2/images/%s/file" % image["id"], data=data, headers={"Content-Type": "application/octet-stream"})
    return image["id"]


def guest_image(admin, folder):
    """The image of testbed/openstack/guest-image; only libvirt's host boots it."""
    kernel = upload(admin, os.path.join(folder, "vmlinuz"), "guest-kernel", "aki", "aki")
    initrd = upload(admin, os.path.join(folder, "initrd.img"), "guest-initrd", "ari", "ari")
    upload(admin, os.path.join(folder, "root.qcow2"), "debian-12-guest", "qcow2", "bare", hypervisor_type="qemu",
           kernel_id=kernel, ramdisk_id=initrd, os_distro="debian", os_version="12", min_disk=2,
           os_command_line="root=/dev/vda console=ttyS0 net.ifnames=0 mitigations=off no_timer_check quiet")


def resources(state, url):
    admin = Cloud(url, "admin", password_at(state, "admin"), "admin")
    for name, (cpus, memory, disk, specs) in FLAVORS.items():
        flavor = admin.make(8774, "/v2.1/flavors", "flavor", name=name, vcpus=cpus, ram=memory, disk=disk)
        if specs:
            admin.call("POST", 8774, "/v2.1/flavors/%s/os-extra_specs" % flavor["id"], {"extra_specs": specs})
    hosts = {host["service"]["host"] for host in admin.call("GET", 8774, "/v2.1/os-hypervisors/detail").json()["hypervisors"]}
    for zone, members in ZONES.items():
        aggregate = admin.make(8774, "/v2.1/os-aggregates", "aggregate", name=zone, availability_zone=zone)
        for host in hosts & set(members):
            admin.call("POST", 8774, "/v2.1/os-aggregates/%s/action" % aggregate["id"], {"add_host": {"host": host}})

    admin.make(8776, "/v3/types", "volume_type", name="ssd")
    image = admin.call("POST", 9292, "/v2/images", {
        "name": "debian-12", "disk_format": "raw", "container_format": "bare", "visibility": "public",
        "os_distro": "debian", "os_version": "12"}).json()
    admin.call("PUT", 9292, "/v2/images/%s/file" % image["id"], data=bytes(1 << 20),
               headers={"Content-Type": "application/octet-stream"})

    # A project gets its default security group on its first request for any: here, not during a test that compares lists.
    for asks in (admin, Cloud(url, "service", read(state, "service-password"), "service"),
                 Cloud(url, "deepsite", password_at(state, "tenant"), "lab")):
        asks.call("GET", 9696, "/v2.0/security-groups")

    if os.path.isdir(os.path.join(state, "guest")):
        guest_image(admin, os.path.join(state, "guest"))
    outside = admin.make(9696, "/v2.0/networks", "network", **{
        "name": "public", "router:external": True, "provider:network_type": "flat", "provider:physical_network": "outside"})
    # No documentation prefix (RFC 5737): a machine may have its own gateway or mirror in one of these.
    admin.make(9696, "/v2.0/subnets", "subnet", network_id=outside["id"], name="public", ip_version=4, cidr="198.18.203.0/24",
               gateway_ip="198.18.203.1", enable_dhcp=False, allocation_pools=[{"start": "198.18.203.10", "end": "198.18.203.250"}])


if __name__ == "__main__":
    {"identity": identity, "resources": resources}[sys.argv[1]](*sys.argv[2:4])
