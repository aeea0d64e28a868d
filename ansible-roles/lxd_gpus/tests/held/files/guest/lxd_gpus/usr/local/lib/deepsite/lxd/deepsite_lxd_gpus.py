"""Assigns this host's GPUs to instances of its LXD, each GPU to one instance. Written by deepsite.

LXD lets two instances share a card, and searches for one only when an instance starts. nova-lxd's services of Queens to Stein run
Python 2.7, so this runs with both.
"""
from __future__ import print_function

import glob
import os

# PCI vendors that make GPUs, and the drivers whose cards a container can use; a server's onboard graphics chip is excluded.
VENDORS = {"10de": "nvidia", "1002": "amd", "1022": "amd", "8086": "intel"}
DRIVERS = ("nvidia", "amdgpu", "radeon", "i915", "xe")
DISPLAY = "0x03"


class TooFew(Exception):
    """More cards are requested than are free."""


def cards(client):
    """This host's cards by address; client(path) queries LXD, which reports cards since its extension resources_v2."""
    if "resources_v2" in client("/1.0")["api_extensions"]:
        found = [told(card) for card in client("/1.0/resources")["gpu"].get("cards") or []]
    else:
        found = [seen(path) for path in glob.glob("/sys/bus/pci/devices/*") if read(path, "class").startswith(DISPLAY)]
    return {card["address"]: card for card in found if card["vendor"] in VENDORS and card["driver"] in DRIVERS}


def told(card):
    nvidia = card.get("nvidia") or {}
    return {"address": card.get("pci_address", "").lower(), "vendor": card.get("vendor_id", ""), "product": card.get("product_id", ""),
            "driver": card.get("driver", ""), "id": str((card.get("drm") or {}).get("id", "")),
            "model": nvidia.get("model") or card.get("product") or ""}


def seen(path):
    address = os.path.basename(path)
    numbers = glob.glob(path + "/drm/card*")
    named = {name.strip(): value.strip() for name, _, value in
             (line.partition(":") for line in read("/proc/driver/nvidia/gpus/" + address, "information").splitlines())}
    return {"address": address, "vendor": read(path, "vendor")[2:], "product": read(path, "device")[2:],
            "driver": os.path.basename(os.path.realpath(path + "/driver")), "id": os.path.basename(numbers[0])[len("card"):] if numbers else "",
            "model": named.get("Model", "")}


def read(folder, name):
    try:
        with open(os.path.join(folder, name)) as file:
            return file.read().strip()
    except IOError:
        return ""


def instances(client):
    """Instances of every project. Before projects and virtual machines LXD called them containers."""
    extensions = client("/1.0")["api_extensions"]
    kind = "instances" if "instances" in extensions else "containers"
    projects = [each["name"] for each in client("/1.0/projects?recursion=1")] if "projects" in extensions else ["default"]
    return [instance for project in projects for instance in client("/1.0/%s?recursion=1&project=%s" % (kind, project))]


def holds(device, card):
    """Matches as LXD does: a device without a selector has every card."""
    chosen = {"pci": card["address"], "id": card["id"], "vendorid": card["vendor"], "productid": card["product"]}
    return device.get("type") == "gpu" and all(device.get(key, "") in ("", value) for key, value in chosen.items())


def holders(client, known):
    """The names of the instances that have each known card, by address."""
    everything = instances(client)
    return {address: sorted(each["name"] for each in everything if any(holds(device, card) for device in each["expanded_devices"].values()))
            for address, card in known.items()}


def plain(text):
    return "".join(letter for letter in text.lower() if letter not in " _-")


def choose(client, count, model="", taken=()):
    """Addresses of this number of free cards, or TooFew. taken: addresses already promised."""
    known = cards(client)
    wanted = sorted(address for address, card in known.items() if plain(model) in plain(card["model"]))
    held = holders(client, known)
    free = [address for address in wanted if not held[address] and address not in taken]
    if len(free) < count:
        told_of = ", ".join("%s %s (%s)" % (address, known[address]["model"], "used by " + ", ".join(held[address]) if held[address] else
                                            "promised" if address in taken else "free") for address in sorted(known))
        raise TooFew("%d card%s%s requested, but only %d %s free: this host has %s." % (
            count, "" if count == 1 else "s", " of model " + model if model else "", len(free), "is" if len(free) == 1 else "are", told_of or "none"))
    return free[:count]


def devices(addresses):
    """Devices of an instance or a profile, for cards."""
    return {"gpu%d" % number: {"type": "gpu", "pci": address} for number, address in enumerate(addresses)}


def config(client, addresses):
    """Further configuration of an instance: with the host's NVIDIA tools, the driver's libraries come from the host."""
    known = cards(client)
    is_nvidia = any(known[address]["driver"] == "nvidia" for address in addresses)
    tool = any(os.access(os.path.join(folder, "nvidia-container-cli"), os.X_OK) for folder in os.environ.get("PATH", "").split(os.pathsep))
    return {"nvidia.runtime": "true"} if is_nvidia and tool and "nvidia_runtime" in client("/1.0")["api_extensions"] else {}
