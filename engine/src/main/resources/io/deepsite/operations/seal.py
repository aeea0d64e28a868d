"""Runs as root on a machine that becomes an image: removes what identifies the machine and who reached it, then searches all of its
files for keys, passwords and other secrets. docs/guides/baked-images.md lists both.

    seal before               prints which units start at boot
    seal seal [ROOT] <JOB     cleans, searches, and prints what was found; JOB is JSON, see below

deepsite sends this file over SSH; nothing of it stays on the machine. It prints one JSON object."""

import glob
import hashlib
import json
import os
import re
import shutil
import stat
import subprocess
import sys

# Emptied or removed: the next machine makes its own, or needs none.
REMOVED = (
    "etc/ssh/ssh_host_*", "etc/ssh/sshd_config.d/10-deepsite.conf", "root/.ssh/*", "home/*/.ssh/authorized_keys",
    "root/.bash_history", "root/.python_history", "root/.ansible", "root/.cache", "root/.lesshst", "home/*/.bash_history",
    "var/lib/dbus/machine-id", "var/lib/systemd/random-seed", "var/lib/systemd/credential.secret",
    "var/lib/cloud/instance", "var/lib/cloud/instances", "var/lib/cloud/data", "var/lib/cloud/sem", "var/lib/cloud/seed",
    "var/lib/dhcp/*", "var/lib/NetworkManager/*.lease", "var/log/journal/*", "var/lib/apt/lists/*", "var/cache/apt/archives/*.deb",
    "var/cache/apt/*.bin", "tmp/*", "tmp/.[!.]*", "var/tmp/*", "var/tmp/.[!.]*", "var/lib/deepsite",
)
UNINITIALIZED = {"etc/machine-id": "", "etc/hostname": "localhost\n"}
# What open-iscsi's package reads to make a name at the next start.
ISCSI_NAME = "etc/iscsi/initiatorname.iscsi"

# Searched after that. A path that is found says that an image would give one identity, or one secret, to all of its machines.
IDENTITIES = (
    (r"etc/ssh/ssh_host_[^/]*", "an SSH host key"),
    (r"(var/lib/dbus|etc)/machine-id", "a machine id"),
    (r"var/lib/systemd/(random-seed|credential\.secret)", "a seed or key of systemd"),
    (r"etc/munge/munge\.key", "a key of MUNGE"),
    (r"(.*/)?authorized_keys2?", "login keys"),
    (r"(.*/)?known_hosts", "keys of other hosts"),
    (r"(.*/)?\.(bash|python|mysql|psql)_history", "a history of commands"),
    (r"(.*/)?(\.netrc|\.git-credentials|\.pgpass|\.my\.cnf|\.dockercfg)", "a file of passwords"),
    (r"(.*/)?\.(docker/config\.json|aws/credentials|kube/config)", "credentials"),
    (r"etc/apt/auth\.conf(\.d/.+)?", "passwords of package repositories"),
    (r"etc/(krb5\.keytab|.*\.keytab)", "a key of Kerberos"),
    (r"etc/nvme/host(id|nqn)", "an NVMe host name"),
    (r"var/lib/cloud/(instances|seed)/.+", "data of a cloud instance"),
    (r"var/lib/deepsite/.+", "records of deepsite"),
)
IDENTITIES = tuple((re.compile(pattern), what) for pattern, what in IDENTITIES)
# With a first line of its body: programs and libraries hold the words alone. In JSON a newline is written \n.
PRIVATE_KEY = re.compile(rb"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----(?:\s|\\n|\\r)+(?:[A-Za-z-]+: [^\n]*\n+)*[A-Za-z0-9+/=]{16}")
KEY_WORDS = (b"PRIVATE KEY", b"AGE-SECRET-KEY-1", b"$ANSIBLE_VAULT;")
OTHER_KEYS = ((re.compile(rb"AGE-SECRET-KEY-1[0-9A-Z]{20}"), "a private key of age"), (re.compile(rb"\$ANSIBLE_VAULT;[0-9.]+;AES256\s"), "an encrypted vault"))
PASSWORD_IN_URL = re.compile(rb"://[^/\s:@]+:[^/\s@]+@")
CHUNK = 4 * 1024 * 1024
OVERLAP = 4096


def inside(root, path):
    return os.path.join(root, path)


def matches(root, pattern):
    return sorted(glob.glob(inside(glob.escape(root), pattern)))


def remove(path):
    if os.path.isdir(path) and not os.path.islink(path):
        shutil.rmtree(path)
    else:
        os.unlink(path)


def write(path, text):
    with open(path, "w", encoding="utf-8") as stream:
        stream.write(text)


def clean(root, paths):
    hostname = read(inside(root, "etc/hostname")).decode("utf-8", "replace").strip()
    for pattern in REMOVED:
        for path in matches(root, pattern):
            remove(path)
    for path in paths:
        if os.path.lexists(inside(root, path.lstrip("/"))):
            remove(inside(root, path.lstrip("/")))
    for path, text in UNINITIALIZED.items():
        if os.path.isfile(inside(root, path)):
            write(inside(root, path), text)
    hosts = inside(root, "etc/hosts")
    if hostname and os.path.isfile(hosts):
        lines = read(hosts).decode("utf-8", "replace").splitlines(True)
        write(hosts, "".join(line for line in lines if hostname not in line.split("#")[0].split()[1:]))
    if os.path.isfile(inside(root, ISCSI_NAME)):
        write(inside(root, ISCSI_NAME), "GenerateName=yes\n")
    for folder, _, names in os.walk(inside(root, "var/log")):
        for name in names:
            path = inside(folder, name)
            if os.path.isfile(path) and not os.path.islink(path):
                os.truncate(path, 0)


def read(path):
    try:
        with open(path, "rb") as stream:
            return stream.read()
    except OSError:
        return b""


def shipped(root):
    """By path the MD5 of files as packages brought them: public, whatever they hold."""
    sums = {}
    for path in matches(root, "var/lib/dpkg/info/*.md5sums"):
        for line in read(path).decode("utf-8", "replace").splitlines():
            digest, _, name = line.partition("  ")
            sums[name] = digest
    return sums


def hashes(data):
    """The accounts of a shadow file that have a password."""
    return [line.split(":")[0] for line in data.decode("utf-8", "replace").splitlines() if "$" in (line.split(":") + [""])[1]]


class Search:
    def __init__(self, root, secrets):
        self.root = root
        self.secrets = [secret.encode() for secret in secrets if len(secret) >= 8]
        self.shipped = shipped(root)
        self.found = []
        self.files = 0
        self.bytes = 0

    def run(self):
        device = os.lstat(self.root).st_dev
        for folder, folders, names in os.walk(self.root):
            folders[:] = sorted(name for name in folders if os.lstat(inside(folder, name)).st_dev == device)
            for name in sorted(names):
                path = inside(folder, name)
                status = os.lstat(path)
                if stat.S_ISREG(status.st_mode) and status.st_dev == device and status.st_size > 0:
                    self.file(path, os.path.relpath(path, self.root), status.st_size)
        return self

    def file(self, path, name, size):
        self.files += 1
        self.bytes += size
        whats = [what for pattern, what in IDENTITIES if pattern.fullmatch(name)]
        if name in ("etc/machine-id", "var/lib/dbus/machine-id") and not re.search(rb"[0-9a-f]{32}", read(path)):
            whats = []
        if name in ("etc/shadow", "etc/shadow-", "etc/gshadow", "etc/gshadow-"):
            whats += ["the password of %s" % account for account in hashes(read(path))]
        if name.startswith("etc/apt/") and PASSWORD_IN_URL.search(read(path)):
            whats.append("a password in the address of a package repository")
        contents = self.contents(path)
        if contents and self.shipped.get(name) != hashlib.md5(read(path)).hexdigest():
            whats += contents
        self.found += [{"path": "/" + name, "what": what} for what in dict.fromkeys(whats)]

    def contents(self, path):
        whats = []
        with open(path, "rb") as stream:
            rest = b""
            while True:
                data = stream.read(CHUNK)
                if not data:
                    return list(dict.fromkeys(whats))
                data = rest + data
                rest = data[-OVERLAP:]
                if any(words in data for words in KEY_WORDS):
                    whats += ["a private key"] if PRIVATE_KEY.search(data) else []
                    whats += [what for pattern, what in OTHER_KEYS if pattern.search(data)]
                if any(secret in data for secret in self.secrets):
                    whats.append("a secret of the machine that the image is made of")


def enabled():
    """Names of the units that start at boot."""
    done = subprocess.run(["systemctl", "list-unit-files", "--no-legend", "--no-pager", "--state=enabled,enabled-runtime"],
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=True)
    return sorted(line.split()[0] for line in done.stdout.decode().splitlines() if line.strip())


def disable(units):
    if units:
        subprocess.run(["systemctl", "disable", "--quiet", "--"] + units, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=True)


def seal(root, job):
    """`host`: name of the machine, because any other would be useless afterwards; `units`: services that roles start; `before`: units
    enabled in the image that this one is made of; `paths`: files that roles write and packages may have made; `secrets`: values to
    search for."""
    if root == "/":
        if os.uname().nodename != job["host"]:
            sys.exit("this machine is named %s, not %s" % (os.uname().nodename, job["host"]))
        disable(sorted(set(job["units"]) & set(enabled()) - set(job["before"])))
        if shutil.which("cloud-init"):
            subprocess.run(["cloud-init", "clean", "--logs", "--seed"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=True)
    clean(root, job["paths"])
    search = Search(root, job["secrets"]).run()
    os.sync()
    return {"found": search.found, "files": search.files, "bytes": search.bytes}


def main(action, job=None, root="/"):
    print(json.dumps({"enabled": enabled()} if action == "before" else seal(root, job)))


if __name__ == "__main__" and len(sys.argv) > 1:
    main(sys.argv[1], json.load(sys.stdin) if sys.argv[1] == "seal" else None, *sys.argv[2:3])
