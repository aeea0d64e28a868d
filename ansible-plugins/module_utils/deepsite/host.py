"""What every item type uses: commands, bytes, owners."""

import grp
import hashlib
import os
import pwd
import stat
import subprocess
import tempfile

ENVIRONMENT = {
    "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    "LC_ALL": "C.UTF-8",
    "HOME": "/root",
}


class ItemFailed(Exception):
    """An item cannot be applied; the message is for the admin."""

    def __init__(self, item_id, message):
        super().__init__(message)
        self.item_id = item_id
        self.message = message


class Answer:
    def __init__(self, rc, out, err):
        self.rc = rc
        self.out = out
        self.err = err

    def words(self):
        """The last lines of the command's output, for a message."""
        said = (self.err.strip() or self.out.strip()).splitlines()
        return " | ".join(line.strip() for line in said[-8:]) or "exit code %d" % self.rc


class Host:
    """The machine that item types act on. `bodies` are the contract's file bodies, by source."""

    def __init__(self, bodies=None, check=False):
        self.bodies = bodies or {}
        self.check = check
        self.repositories_changed = False

    def run(self, argv, env=None, timeout=None):
        """Runs without a shell or input; 127: no such command, 124: timed out after `timeout` seconds."""
        environment = dict(ENVIRONMENT)
        environment.update(env or {})
        try:
            done = subprocess.run(argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                  env=environment, timeout=timeout, check=False)
        except subprocess.TimeoutExpired:
            return Answer(124, "", "%s: no answer within %d s" % (argv[0], timeout))
        except OSError as fault:
            return Answer(127, "", "%s: %s" % (argv[0], fault.strerror))
        return Answer(done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace"))

    def must(self, item_id, argv, **options):
        answer = self.run(argv, **options)
        if answer.rc != 0:
            raise ItemFailed(item_id, "%s failed: %s" % (" ".join(argv[:2]), answer.words()))
        return answer

    def container(self):
        """Whether the kernel belongs to a host."""
        return os.path.exists("/run/systemd/container") or self.run(["systemd-detect-virt", "--container", "--quiet"]).rc == 0


# Largest file that a contract could have written; a larger one belongs to someone else and may be endless.
LARGEST_FILE = 64 * 1024 * 1024


def sha256(data):
    return hashlib.sha256(data).hexdigest()


def read(path):
    with open(path, "rb") as stream:
        return stream.read()


def read_or_empty(path):
    return read(path) if os.path.isfile(path) else b""


def look_at(path):
    """What is at a path, in the format of the probe script."""
    try:
        found = os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return {"exists": False}
    seen = {
        "exists": True,
        "owner": user_name(found.st_uid),
        "group": group_name(found.st_gid),
        "mode": "%04o" % stat.S_IMODE(found.st_mode),
    }
    if stat.S_ISREG(found.st_mode):
        seen.update(type="file", sha256=sha256(read(path)) if found.st_size <= LARGEST_FILE else "not read: larger than 64 MiB")
    elif stat.S_ISDIR(found.st_mode):
        seen.update(type="directory")
    elif stat.S_ISLNK(found.st_mode):
        seen.update(type="link", target=os.readlink(path))
    else:
        seen.update(type="other")
    return seen


def user_name(uid):
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return str(uid)


def group_name(gid):
    try:
        return grp.getgrgid(gid).gr_name
    except KeyError:
        return str(gid)


def owner_ids(item_id, owner, group):
    """uid and gid of names or numbers."""
    try:
        uid = int(owner) if str(owner).isdigit() else pwd.getpwnam(owner).pw_uid
    except KeyError:
        raise ItemFailed(item_id, "owner %s: no such user on this host" % owner) from None
    try:
        gid = int(group) if str(group).isdigit() else grp.getgrnam(group).gr_gid
    except KeyError:
        raise ItemFailed(item_id, "group %s: no such group on this host" % group) from None
    return uid, gid


def write(path, data, uid, gid, mode):
    """Replaces a file atomically: readers see the old bytes or the new ones, with the right owner from the start."""
    folder = os.path.dirname(path)
    descriptor, temporary = tempfile.mkstemp(prefix=".deepsite-", dir=folder)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            os.fchown(stream.fileno(), uid, gid)
            os.fchmod(stream.fileno(), mode)
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def rewrite(path, data, uid=0, gid=0, mode=0o644):
    """As `write`, but an existing file keeps its owner and mode, and a link to it stays a link."""
    real = os.path.realpath(path)
    if os.path.exists(real):
        found = os.stat(real)
        uid, gid, mode = found.st_uid, found.st_gid, stat.S_IMODE(found.st_mode)
    write(real, data, uid, gid, mode)


def make_parents(path):
    """Creates missing parent folders; returns them, outermost first, so that leaving removes those that are empty."""
    missing = []
    folder = os.path.dirname(path)
    while not os.path.isdir(folder):
        missing.insert(0, folder)
        folder = os.path.dirname(folder)
    for each in missing:
        os.mkdir(each, 0o755)
        os.chmod(each, 0o755)
    return missing


def remove_empty(folders):
    """Removes empty folders that `make_parents` created, innermost first."""
    for folder in reversed(folders):
        try:
            os.rmdir(folder)
        except OSError:
            return
