"""Sites on this machine's LXD for the benchmarks, each in an LXD project of its own, on one network of the benchmarks."""
import contextlib
import json
import os
import re
import subprocess
import tempfile

import measure

NETWORK = "bench0"
ADDRESS = "10.97.0.1/24"
POOL = "nova"
IMAGE = "debian/12"


def lxc(*words):
    ran = subprocess.run(["lxc", *words], capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)
    if ran.returncode != 0:
        raise measure.Failed(f"lxc {' '.join(words)}: {ran.stderr.strip()}\n  testbed/lxd/up starts the LXD that the benchmarks use")
    return ran.stdout


def listed(*words):
    return json.loads(lxc(*words, "--format", "json"))


def empty(project):
    names = [one["name"] for one in listed("list", "--project", project)]
    if names:
        lxc("delete", "--force", "--project", project, *names)


def sweep(project):
    """Deletes a project with all that is in it, also what a killed run left."""
    if project not in [one["name"] for one in listed("project", "list")]:
        return
    empty(project)
    for volume in listed("storage", "volume", "list", POOL, "--project", project):
        if volume["type"] == "custom":
            lxc("storage", "volume", "delete", POOL, volume["name"], "--project", project)
    for image in listed("image", "list", "--project", project):
        lxc("image", "delete", image["fingerprint"], "--project", project)
    lxc("project", "delete", project)


@contextlib.contextmanager
def network(name, address):
    """A bridge; it is deleted at the end, unless it was there before."""
    there = name in [one["name"] for one in listed("network", "list")]
    if not there:
        lxc("network", "create", name, f"ipv4.address={address}", "ipv4.nat=true", "ipv6.address=none")
    try:
        yield
    finally:
        if not there:
            lxc("network", "delete", name)


class Site:
    """The quickstart's site under another name, with its images, network and state apart from all others."""

    def __init__(self, name, folder):
        self.name = name
        self.project = name
        self.file = os.path.join(folder, name, "site.yaml")
        os.mkdir(os.path.dirname(self.file))
        text = measure.read(os.path.join(measure.ROOT, "site-examples", "quickstart", "site.yaml"))
        for old, new in (
            (r"^site: .*", f"site: {name}"),
            (r"^( +)network: lxdbr0 .*", rf"\1network: {NETWORK}\n\1project: {name}"),
        ):
            text, count = re.subn(old, new, text, flags=re.MULTILINE)
            if count != 1:
                raise measure.Failed(f"the quickstart's site.yaml has changed: {old} matches {count} times")
        self.text = text
        self.write()
        sweep(name)
        lxc("project", "create", name, "--config", "features.profiles=false")
        # LXD copies images between projects over its network address only, which it need not have.
        stored = os.path.join(folder, "image")
        if not os.path.isdir(stored):
            os.mkdir(stored)
            lxc("image", "export", IMAGE, os.path.join(stored, "image"))
        files = sorted(os.path.join(stored, one) for one in os.listdir(stored))
        lxc("image", "import", "--project", name, "--alias", IMAGE, *files)

    def write(self):
        """The site.yaml without what `scale` changed in it."""
        with open(self.file, "w", encoding="utf-8") as file:
            file.write(self.text)

    def deepsite(self, *words):
        return measure.once([measure.DEEPSITE, *words], os.path.dirname(self.file))

    def apply(self):
        return self.deepsite("apply", self.file, "--yes")

    def scale(self, nodes):
        return self.deepsite("scale", "--site", self.file, f"node={nodes}", "--yes")

    def destroy(self):
        run = self.deepsite("destroy", self.file, "--yes")
        self.write()
        return run

    def to_hosts(self, hosts):
        """Applies the site with a head and nodes, that many machines in all."""
        measure.say(f"  {self.name}: {hosts} hosts")
        self.scale(hosts - 1)


@contextlib.contextmanager
def site(*names):
    """Sites that are not applied yet; nothing of them is left at the end."""
    with contextlib.ExitStack() as after:
        after.enter_context(network(NETWORK, ADDRESS))
        folder = after.enter_context(tempfile.TemporaryDirectory(prefix="deepsite-bench-"))
        for name in names:
            after.callback(sweep, name)
        yield [Site(name, folder) for name in names]
