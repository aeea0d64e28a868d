"""Whole paths: directory, link, file, repository."""

import os

from ansible.module_utils.deepsite import host as hosts
from ansible.module_utils.deepsite.host import ItemFailed
from ansible.module_utils.deepsite.kind import Kind

DIFF_LIMIT = 1024 * 1024


class PathKind(Kind):
    """Common to all whole paths: the original (a file's bytes, a link's target) is saved, and restored when leaving."""

    def path(self, item):
        return item["path"]

    def look(self, item):
        return hosts.look_at(self.path(item))

    def remember(self, item, seen):
        path = self.path(item)
        before = {name: seen[name] for name in ("exists", "type", "owner", "group", "mode", "target") if name in seen}
        if seen.get("type") == "other" or (seen.get("type") == "directory" and item["type"] != "directory"):
            raise ItemFailed(item["id"], "there is a %s at %s: move it away by hand" % (
                "directory" if seen["type"] == "directory" else "device, pipe or socket", path))
        if seen.get("type") == "file":
            before["kept"] = self.originals.keep(path)
        return before

    def prepare(self, item, before):
        made = hosts.make_parents(self.path(item))
        if made:
            before["parents"] = made

    def leave(self, item, before):
        path = self.path(item)
        if before.get("type") == "file":
            said = self.put_back_file(item, before)
        elif before.get("type") == "link":
            said = self.put_back_link(path, before)
        elif os.path.lexists(path):
            os.unlink(path)
            said = "deleted"
        else:
            said = None
        hosts.remove_empty(before.get("parents", []))
        return said

    def put_back_file(self, item, before):
        path = self.path(item)
        data = self.originals.bytes_of(before["kept"])
        wanted = {"type": "file", "sha256": hosts.sha256(data), "owner": before["owner"], "group": before["group"], "mode": before["mode"]}
        seen = hosts.look_at(path)
        if any(seen.get(name) != value for name, value in wanted.items()):
            hosts.make_parents(path)
            uid, gid = hosts.owner_ids(item["id"], before["owner"], before["group"])
            hosts.write(path, data, uid, gid, int(before["mode"], 8))
            said = "the file found first was put back"
        else:
            said = None
        self.originals.forget(before["kept"])
        return said

    def put_back_link(self, path, before):
        if hosts.look_at(path).get("target") == before["target"]:
            return None
        place_link(before["target"], path)
        return "the link found first was put back"


def owner_of(item, mode):
    """As `look_at` reports it: by name if there is one."""
    owner, group = str(item.get("owner", "root")), str(item.get("group", "root"))
    return {
        "owner": hosts.user_name(int(owner)) if owner.isdigit() else owner,
        "group": hosts.group_name(int(group)) if group.isdigit() else group,
        "mode": item.get("mode", mode),
    }


def place_link(target, path):
    temporary = os.path.join(os.path.dirname(path), ".deepsite-%d" % os.getpid())
    os.symlink(target, temporary)
    os.replace(temporary, path)


class FileKind(PathKind):
    def body(self, item):
        try:
            return self.host.bodies[item["source"]]
        except KeyError:
            raise ItemFailed(item["id"], "the bundle has no body for %s (%s)" % (item["path"], item.get("source"))) from None

    def owner(self, item):
        return owner_of(item, "0644")

    def wanted(self, item, seen, earlier):
        body = self.body(item)
        if item.get("sha256") not in (None, hosts.sha256(body)):
            raise ItemFailed(item["id"], "the body in the bundle differs from the contract; render the bundle again")
        return dict(self.owner(item), type="file", sha256=hosts.sha256(body))

    def apply(self, change, before):
        item = change.item
        self.prepare(item, before)
        owner = self.owner(item)
        uid, gid = hosts.owner_ids(item["id"], owner["owner"], owner["group"])
        hosts.write(self.path(item), self.body(item), uid, gid, int(owner["mode"], 8))

    def diff(self, change):
        path = self.path(change.item)
        old = hosts.read(path) if change.seen.get("type") == "file" else b""
        return text_of(old), text_of(self.body(change.item))


def text_of(data):
    if len(data) > DIFF_LIMIT:
        return "[%d bytes, sha256 %s]\n" % (len(data), hosts.sha256(data))
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return "[binary, %d bytes, sha256 %s]\n" % (len(data), hosts.sha256(data))


class RepositoryKind(FileKind):
    """An apt deb822 file; after a change apt reads the package lists again before the next installation."""

    def path(self, item):
        return "/etc/apt/sources.list.d/%s.sources" % item["name"]

    def body(self, item):
        fields = [("Types", ["deb"]), ("URIs", item.get("uris")), ("Suites", item.get("suites")), ("Components", item.get("components"))]
        lines = ["%s: %s" % (name, " ".join(values)) for name, values in fields if values]
        key = (item.get("signed_by") or "").rstrip("\n").split("\n")
        if len(key) > 1:
            lines.append("Signed-By:")
            lines.extend(" " + (line or ".") for line in key)
        elif key[0]:
            lines.append("Signed-By: " + key[0])
        return ("\n".join(lines) + "\n").encode()

    def apply(self, change, before):
        super().apply(change, before)
        self.host.repositories_changed = True


class LinkKind(PathKind):
    def wanted(self, item, seen, earlier):
        return {"type": "link", "target": item["to"]}

    def apply(self, change, before):
        self.prepare(change.item, before)
        place_link(change.item["to"], self.path(change.item))


class DirectoryKind(PathKind):
    def wanted(self, item, seen, earlier):
        return dict(owner_of(item, "0755"), type="directory")

    def remember(self, item, seen):
        if seen["exists"] and seen["type"] not in ("directory", "link"):
            raise ItemFailed(item["id"], "%s is not a directory: move it away by hand" % item["path"])
        if seen.get("type") == "link" and os.path.isdir(item["path"]):
            raise ItemFailed(item["id"], "%s is a link to the directory %s: name the directory" % (item["path"], seen["target"]))
        return super().remember(item, seen)

    def apply(self, change, before):
        path = self.path(change.item)
        if change.seen.get("type") == "link":
            os.unlink(path)
        self.prepare(change.item, before)
        uid, gid = hosts.owner_ids(change.item["id"], change.wanted["owner"], change.wanted["group"])
        if not os.path.isdir(path):
            os.mkdir(path, 0o700)
        os.chown(path, uid, gid)
        os.chmod(path, int(change.wanted["mode"], 8))

    def leave(self, item, before):
        path = self.path(item)
        if before.get("type") == "directory":
            seen = hosts.look_at(path)
            if not seen["exists"] or all(seen[name] == before[name] for name in ("owner", "group", "mode")):
                return None
            uid, gid = hosts.owner_ids(item["id"], before["owner"], before["group"])
            os.chown(path, uid, gid)
            os.chmod(path, int(before["mode"], 8))
            return "owner and mode found first were put back"
        if not os.path.isdir(path):
            return None
        if os.listdir(path):
            return "kept: not empty"
        os.rmdir(path)
        hosts.remove_empty(before.get("parents", []))
        return "removed"
