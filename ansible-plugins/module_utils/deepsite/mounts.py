"""Mounts: a line of /etc/fstab that is also mounted now."""

import os
import re

from ansible.module_utils.deepsite import host as hosts
from ansible.module_utils.deepsite.host import ItemFailed
from ansible.module_utils.deepsite.kind import Kind

FSTAB = "/etc/fstab"
MOUNTINFO = "/proc/self/mountinfo"


def escaped(path):
    return path.replace("\\", "\\134").replace(" ", "\\040").replace("\t", "\\011")


def is_line_of(line, path):
    fields = line.split()
    return len(fields) >= 3 and not fields[0].startswith("#") and fields[1] == escaped(path)


class MountKind(Kind):
    def look(self, item):
        path = item["path"]
        seen = {"mounted": False, "source": None, "fstab": None}
        with open(MOUNTINFO, encoding="utf-8", errors="surrogateescape") as stream:
            for line in stream:
                fields = line.split()
                if fields[4] == escaped(path):
                    seen.update(mounted=True, source=fields[fields.index("-") + 2])
        for line in self.fstab():
            if is_line_of(line, path):
                fields = line.split()
                seen["fstab"] = [fields[0], fields[2], fields[3] if len(fields) > 3 else "defaults"]
        return seen

    def fstab(self):
        return hosts.read_or_empty(FSTAB).decode("utf-8", "surrogateescape").splitlines(True)

    def wanted(self, item, seen, earlier):
        wanted = {"mounted": True, "fstab": [item["source"], item["fstype"], item.get("options") or "defaults"]}
        # A device may be mounted under another name than UUID=… or LABEL=…; then only fstab is compared.
        if not re.match(r"[A-Z]+=", item["source"]):
            wanted["source"] = item["source"]
        return wanted

    def remember(self, item, seen):
        return {"mounted": seen["mounted"], "lines": [line for line in self.fstab() if is_line_of(line, item["path"])]}

    def apply(self, change, before):
        item = change.item
        path = item["path"]
        made = [] if os.path.isdir(path) else hosts.make_parents(os.path.join(path, "x"))
        if made:
            before["parents"] = made
        line = " ".join([escaped(item["source"]), escaped(path), item["fstype"], item.get("options") or "defaults", "0", "0"]) + "\n"
        self.write_fstab(path, [line])
        if change.seen["mounted"] and "source" in change.differing:
            self.host.must(item["id"], ["umount", "--", path])
        elif change.seen["mounted"] and "fstab" in change.differing:
            self.host.must(item["id"], ["mount", "-o", "remount", "--", path])
        if not self.look(item)["mounted"]:
            self.host.must(item["id"], ["mount", "--", path])

    def write_fstab(self, path, lines):
        """Puts the lines at the path's first line, else at the end; every other line stays."""
        old = self.fstab()
        new = []
        for line in old:
            if not is_line_of(line, path):
                new.append(line)
            elif lines:
                new.extend(lines)
                lines = []
        if lines and new and not new[-1].endswith("\n"):
            new[-1] += "\n"
        new.extend(lines)
        if new != old:
            hosts.rewrite(FSTAB, "".join(new).encode("utf-8", "surrogateescape"))

    def leave(self, item, before):
        path = item["path"]
        done = []
        if self.look(item)["mounted"] and not before["mounted"]:
            answer = self.host.run(["umount", "--", path])
            if answer.rc != 0:
                raise ItemFailed(item["id"], "%s cannot be unmounted: %s" % (path, answer.words()))
            done.append("unmounted")
        if [line for line in self.fstab() if is_line_of(line, path)] != before["lines"]:
            self.write_fstab(path, before["lines"])
            done.append("fstab put back")
        hosts.remove_empty(before.get("parents", []))
        return ", ".join(done)
