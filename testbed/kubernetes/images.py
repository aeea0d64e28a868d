"""Writes Kubernetes' images as docker archives, without a container engine: images.py VERSION BINARIES WORK OUT.

BINARIES/bin-VERSION and BINARIES/pause are compiled, WORK/base is an unpacked Debian with the dependencies of kube-proxy and etcd,
WORK/device-plugin the test's own. Reproducible to the byte. Called by ../kubernetes-binaries.
"""

import hashlib
import io
import json
import os
import sys
import tarfile
from pathlib import Path

REGISTRY = "k8s.gcr.io/"
# The versions that kubeadm 1.20 requires, and the one of containerd's configuration from 1.21 on; the etcd inside is Debian's.
ETCD, PAUSE = "etcd:3.4.13-0", ("pause:3.2", "pause:3.4.1")
EPOCH = "2021-01-13T00:00:00Z"
APPLETS = "sh ash ls cat cp mv rm mkdir echo printf sleep true false test env id date hostname httpd nc wget ping ip ps grep sed awk head tail wc sort".split()
NOT_NEEDED = {"usr/share", "var/cache", "var/lib/apt", "var/lib/dpkg", "dev", "proc", "sys", "boot"}
# Debian selects iptables' variant with /etc/alternatives, which a package script creates.
NFT = [name + suffix for name in ("iptables", "ip6tables") for suffix in ("", "-save", "-restore")]


class Layer:
    """A layer as bytes, entries in the order of addition, every parent before its child."""

    def __init__(self):
        self.bytes = io.BytesIO()
        self.tar = tarfile.open(fileobj=self.bytes, mode="w", format=tarfile.GNU_FORMAT)
        self.seen = set()

    def add(self, path, kind, mode=0o755, link="", source=None):
        if path in self.seen:
            return
        parent = os.path.dirname(path)
        if parent:
            self.add(parent, tarfile.DIRTYPE)
        self.seen.add(path)
        info = tarfile.TarInfo(path)
        info.type, info.mode, info.linkname = kind, mode, link
        if source is None:
            self.tar.addfile(info)
            return
        info.size = source.stat().st_size
        with open(source, "rb") as body:
            self.tar.addfile(info, body)

    def file(self, path, source):
        self.add(path, tarfile.REGTYPE, source=source)

    def link(self, path, target):
        self.add(path, tarfile.SYMTYPE, link=target)

    def tree(self, root):
        for folder, names, files in os.walk(root):
            names[:] = sorted(name for name in names if str(Path(folder, name).relative_to(root)) not in NOT_NEEDED)
            for name in sorted(names + files):
                source = Path(folder, name)
                path = str(source.relative_to(root))
                if source.is_symlink():
                    self.link(path, os.readlink(source))
                elif source.is_dir():
                    self.add(path, tarfile.DIRTYPE)
                elif source.is_file():
                    self.add(path, tarfile.REGTYPE, source.stat().st_mode & 0o777, source=source)

    def done(self):
        self.tar.close()
        return self.bytes.getvalue()


def image(out, names, layer, entrypoint=(), command=()):
    body = layer.done()
    digest = hashlib.sha256(body).hexdigest()
    config = {"Env": ["PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"]}
    if entrypoint:
        config["Entrypoint"] = list(entrypoint)
    if command:
        config["Cmd"] = list(command)
    described = json.dumps({
        "architecture": "amd64", "os": "linux", "created": EPOCH, "config": config,
        "rootfs": {"type": "layers", "diff_ids": ["sha256:" + digest]},
        "history": [{"created": EPOCH, "created_by": "deepsite testbed"}],
    }, sort_keys=True).encode()
    identity = hashlib.sha256(described).hexdigest()
    manifest = json.dumps([{"Config": identity + ".json", "RepoTags": names, "Layers": [digest + "/layer.tar"]}]).encode()
    with tarfile.open(out, "w", format=tarfile.GNU_FORMAT) as tar:
        for path, content in ((identity + ".json", described), (digest + "/layer.tar", body), ("manifest.json", manifest)):
            info = tarfile.TarInfo(path)
            info.size, info.mode = len(content), 0o644
            tar.addfile(info, io.BytesIO(content))


def based(base):
    layer = Layer()
    layer.tree(base)
    for name in NFT:
        layer.link("usr/sbin/" + name, "xtables-nft-multi")
    layer.add("tmp", tarfile.DIRTYPE, 0o1777)
    return layer


def main(version, binaries, work, out):
    binaries, work, out = Path(binaries), Path(work), Path(out)
    base, bin_folder = work / "base", binaries / ("bin-" + version)
    for needed in ("usr/sbin/xtables-nft-multi", "usr/sbin/conntrack", "usr/sbin/ipset", "usr/bin/etcd", "usr/bin/etcdctl", "usr/bin/busybox", "usr/lib64"):
        if not (base / needed).exists():
            sys.exit("images.py: %s is not in the base of the images" % needed)
    for name in ("kube-apiserver", "kube-controller-manager", "kube-scheduler"):
        layer = Layer()
        layer.file("usr/local/bin/" + name, bin_folder / name)
        image(out / (name + ".tar"), ["%s%s:v%s" % (REGISTRY, name, version)], layer)
    proxy = based(base)
    proxy.file("usr/local/bin/kube-proxy", bin_folder / "kube-proxy")
    image(out / "kube-proxy.tar", ["%skube-proxy:v%s" % (REGISTRY, version)], proxy)
    image(out / "etcd.tar", [REGISTRY + ETCD], based(base))
    pause = Layer()
    pause.file("pause", binaries / "pause")
    image(out / "pause.tar", [REGISTRY + name for name in PAUSE], pause, entrypoint=["/pause"])
    busybox = Layer()
    busybox.file("bin/busybox", base / "usr/bin/busybox")
    for applet in APPLETS:
        busybox.link("bin/" + applet, "busybox")
    busybox.add("tmp", tarfile.DIRTYPE, 0o1777)
    # Its own command ends at once, like that of an image with a computation.
    image(out / "busybox.tar", ["docker.io/library/" + name for name in ("busybox:local", "simulated-cuda:11", "simulated-cuda:12")], busybox, command=["sh"])
    plugin = Layer()
    plugin.file("usr/bin/nvidia-device-plugin", work / "device-plugin")
    image(out / "device-plugin.tar", ["docker.io/library/deepsite-device-plugin:local"], plugin, entrypoint=["/usr/bin/nvidia-device-plugin"])


if __name__ == "__main__":
    main(*sys.argv[1:])
