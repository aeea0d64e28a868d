"""Groups and users. Passwords are locked; users log in with keys. Leaving locks accounts and never deletes them, because they may own files."""

import contextlib
import errno
import grp
import os
import pwd
import stat

from ansible.module_utils.deepsite import host as hosts
from ansible.module_utils.deepsite.host import ItemFailed
from ansible.module_utils.deepsite.kind import Kind

MOST_KEYS = 1024 * 1024
NOBODY_LOGS_IN = "/usr/sbin/nologin"
# The day after the epoch: no login by any means, where a locked password alone still lets keys in.
LOCKED = ["--lock", "--expiredate", "1"]


class GroupKind(Kind):
    def look(self, item):
        try:
            return {"exists": True, "gid": grp.getgrnam(item["name"]).gr_gid}
        except KeyError:
            return {"exists": False}

    def wanted(self, item, seen, earlier):
        wanted = {"exists": True}
        if item.get("gid") is not None:
            wanted["gid"] = int(item["gid"])
        return wanted

    def remember(self, item, seen):
        return {"exists": seen["exists"]}

    def apply(self, change, before):
        item = change.item
        if change.seen["exists"]:
            raise ItemFailed(item["id"], "group %s has gid %d here, the contract says %d; files belong to the old one: change it by hand" % (
                item["name"], change.seen["gid"], change.wanted["gid"]))
        refuse_taken_gid(item)
        argv = ["groupadd"] + (["--system"] if item.get("system") else [])
        if "gid" in change.wanted:
            argv += ["--gid", str(change.wanted["gid"])]
        self.host.must(item["id"], argv + ["--", item["name"]])

    def leave(self, item, before):
        return None if before["exists"] else "kept: files may belong to it"


class UserKind(Kind):
    def look(self, item):
        name = item["name"]
        try:
            found = pwd.getpwnam(name)
        except KeyError:
            return {"exists": False, "groups": [], "keys_sha256": None}
        primary = hosts.group_name(found.pw_gid)
        return {
            "exists": True,
            "uid": found.pw_uid,
            "group": primary,
            "groups": sorted({primary} | {group.gr_name for group in grp.getgrall() if name in group.gr_mem}),
            "home": found.pw_dir,
            "shell": found.pw_shell,
            "comment": found.pw_gecos,
            "expired": self.expired(name),
            "keys_sha256": keys_digest(found),
        }

    def expired(self, name):
        """Whether leaving locked the account (it sets the day after the epoch as its expiry)."""
        fields = self.host.run(["getent", "shadow", "--", name]).out.strip().split(":")
        return len(fields) > 7 and fields[7] == "1"

    def wanted(self, item, seen, earlier):
        wanted = {"exists": True, "expired": bool(item.get("locked"))}
        if item.get("uid") is not None:
            wanted["uid"] = int(item["uid"])
        wanted.update((name, item[name]) for name in ("group", "home", "shell", "comment") if item.get(name) is not None)
        groups = set(item.get("groups") or [])
        earlier = earlier or {"before": {}}
        # Existing members stay members.
        taken_back = set(earlier.get("groups") or []) - groups - set(earlier["before"].get("groups") or [])
        wanted["groups"] = sorted((set(seen["groups"]) | groups | {item["group"]} if item.get("group") else set(seen["groups"]) | groups) - taken_back)
        if item.get("authorized_keys") is not None:
            wanted["keys_sha256"] = hosts.sha256(keys_text(item))
        return wanted

    def remember(self, item, seen):
        before = {name: seen[name] for name in ("exists", "groups", "home", "shell", "comment", "expired") if name in seen}
        if seen["keys_sha256"] and item.get("authorized_keys") is not None:
            user = pwd.getpwnam(item["name"])
            data, why = keys_of(user)
            if why:
                raise ItemFailed(item["id"], "%s is %s, so leaving could not put it back: move it away by hand" % (keys_path(user), why))
            before["keys_kept"] = self.originals.keep(keys_path(user), data)
        return before

    def remember_more(self, item, seen, earlier, before):
        """For newly configured groups: those that someone else added the user to meanwhile."""
        asked = set(item.get("groups") or []) - set(earlier.get("groups") or [])
        before["groups"] = sorted(set(before.get("groups") or []) | (asked & set(seen["groups"])))

    def apply(self, change, before):
        item, seen, wanted = change.item, change.seen, change.wanted
        if not seen["exists"]:
            self.add(item)
        elif "uid" in change.differing:
            raise ItemFailed(item["id"], "user %s has uid %d here, the contract says %d; files belong to the old one: change it by hand" % (
                item["name"], seen["uid"], wanted["uid"]))
        else:
            self.modify(item, change)
        if "keys_sha256" in change.differing:
            self.write_keys(item, keys_text(item), before)

    def add(self, item):
        refuse_taken_uid(item)
        system = bool(item.get("system"))
        argv = ["useradd", "--shell", item.get("shell") or (NOBODY_LOGS_IN if system else "/bin/bash")]
        argv += ["--system", "--no-create-home"] if system else ["--create-home"]
        group = item.get("group") or (item["name"] if group_exists(item["name"]) else None)
        argv += ["--gid", group] if group else ["--user-group"]
        for name, option in (("uid", "--uid"), ("home", "--home-dir"), ("comment", "--comment")):
            if item.get(name) is not None:
                argv += [option, str(item[name])]
        if item.get("groups"):
            argv += ["--groups", ",".join(item["groups"])]
        try:
            self.host.must(item["id"], argv + ["--", item["name"]])
        except ItemFailed:
            # Below a shared /home another machine of the site may have made the folder meanwhile; useradd takes one that it finds.
            if system or not os.path.isdir(item.get("home") or "/home/" + item["name"]):
                raise
            self.host.must(item["id"], argv + ["--", item["name"]])
        if item.get("locked"):
            self.host.must(item["id"], ["usermod"] + LOCKED + ["--", item["name"]])

    def modify(self, item, change):
        argv = []
        for name, option in (("group", "--gid"), ("home", "--home"), ("shell", "--shell"), ("comment", "--comment")):
            if name in change.differing:
                argv += [option, change.wanted[name]]
        if "expired" in change.differing:
            argv += LOCKED if change.wanted["expired"] else ["--expiredate", ""]
        if "groups" in change.differing:
            primary = change.wanted.get("group", change.seen["group"])
            argv += ["--groups", ",".join(name for name in change.wanted["groups"] if name != primary)]
        if argv:
            self.host.must(item["id"], ["usermod"] + argv + ["--", item["name"]])

    def write_keys(self, item, data, before):
        user = pwd.getpwnam(item["name"])
        path = keys_path(user)
        if not os.path.isdir(user.pw_dir):
            raise ItemFailed(item["id"], "the home %s of user %s does not exist, so its keys cannot be stored" % (user.pw_dir, item["name"]))
        if os.path.islink(os.path.dirname(path)):
            raise ItemFailed(item["id"], "%s is a link: deepsite follows no links in folders that users own" % os.path.dirname(path))
        with acting_as(user):
            if not os.path.isdir(os.path.dirname(path)):
                os.mkdir(os.path.dirname(path), 0o700)
                before["parents"] = [os.path.dirname(path)]
            hosts.write(path, data, user.pw_uid, user.pw_gid, 0o600)

    def leave(self, item, before):
        try:
            user = pwd.getpwnam(item["name"])
        except KeyError:
            return None
        if item.get("authorized_keys") is not None:
            self.leave_keys(item, user, before)
        if not before["exists"]:
            self.host.must(item["id"], ["usermod"] + LOCKED + ["--", item["name"]])
            return "locked; its files stay"
        argv = []
        for name, found, option in (("home", user.pw_dir, "--home"), ("shell", user.pw_shell, "--shell"), ("comment", user.pw_gecos, "--comment")):
            if item.get(name) is not None and found != before[name]:
                argv += [option, before[name]]
        if item.get("locked") and not before.get("expired"):
            argv += ["--expiredate", ""]
        groups = set(self.look(item)["groups"])
        ours = (set(item.get("groups") or []) - set(before["groups"])) & groups
        if ours:
            argv += ["--groups", ",".join(sorted(groups - ours - {hosts.group_name(user.pw_gid)}))]
        if not argv:
            return None
        self.host.must(item["id"], ["usermod"] + argv + ["--", item["name"]])
        return "put back as it was found"

    def leave_keys(self, item, user, before):
        if before.get("keys_kept"):
            self.write_keys(item, self.originals.bytes_of(before["keys_kept"]), before)
            self.originals.forget(before["keys_kept"])
            return
        with acting_as(user):
            if os.path.lexists(keys_path(user)):
                os.unlink(keys_path(user))
            hosts.remove_empty(before.get("parents", []))


def refuse_taken_gid(item):
    """Explains the conflict and how to solve it; groupadd says only that the number is taken."""
    if item.get("gid") is None:
        return
    try:
        holder = grp.getgrgid(int(item["gid"])).gr_name
    except KeyError:
        return
    raise ItemFailed(item["id"], "gid %s of %s belongs to the group %s on this host, and files may carry it; "
                     "if %s is a user, give %s another uid under users.%s.uid (the user's own group has the same number), else choose another name for the group" % (
                         (item["gid"], item["name"], holder) + (item["name"],) * 3))


def refuse_taken_uid(item):
    if item.get("uid") is None:
        return
    try:
        holder = pwd.getpwuid(int(item["uid"])).pw_name
    except KeyError:
        return
    raise ItemFailed(item["id"], "uid %s of %s belongs to the account %s on this host, and so do the files that carry it; give %s another uid under users.%s.uid" % (
        item["uid"], item["name"], holder, item["name"], item["name"]))


def group_exists(name):
    try:
        grp.getgrnam(name)
    except KeyError:
        return False
    return True


def keys_path(user):
    return os.path.join(user.pw_dir, ".ssh", "authorized_keys")


def keys_of(user):
    """A user's keys, and why they were not read. A user may put a link, a pipe or a huge file there."""
    with acting_as(user):
        try:
            folder = os.open(os.path.dirname(keys_path(user)), os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        except (FileNotFoundError, PermissionError):
            return None, None
        except OSError:
            return None, "a link" if os.path.islink(os.path.dirname(keys_path(user))) else "no plain file"
        try:
            # Nonblocking: opening a pipe without a writer would block forever.
            descriptor = os.open("authorized_keys", os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder)
        except FileNotFoundError:
            return None, None
        except OSError as fault:
            if fault.errno != errno.ELOOP:
                raise
            return None, "a link"
        finally:
            os.close(folder)
    with os.fdopen(descriptor, "rb") as stream:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return None, "no plain file"
        data = stream.read(MOST_KEYS + 1)
    return (None, "larger than 1 MiB") if len(data) > MOST_KEYS else (data, None)


def keys_digest(user):
    """The digest of a user's keys, or why they were not read; same wording as the probe script."""
    data, why = keys_of(user)
    return "not read: " + why if why else None if data is None else hosts.sha256(data)


def keys_text(item):
    return "".join(key.strip() + "\n" for key in item["authorized_keys"]).encode()


@contextlib.contextmanager
def acting_as(user):
    """Runs as the user, who can reach only their own files; as root, links in the home would be followed (and on NFS root may have no access)."""
    if os.geteuid() != 0 or user.pw_uid == 0:
        yield
        return
    groups = os.getgroups()
    os.setgroups([user.pw_gid])
    os.setegid(user.pw_gid)
    os.seteuid(user.pw_uid)
    try:
        yield
    finally:
        os.seteuid(0)
        os.setegid(0)
        os.setgroups(groups)
