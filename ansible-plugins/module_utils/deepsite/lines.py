"""A block of lines between two markers in a file of someone else."""

import os

from ansible.module_utils.deepsite import host as hosts
from ansible.module_utils.deepsite.kind import Kind


def markers(item):
    return ("# BEGIN deepsite %s" % item["id"]).encode(), ("# END deepsite %s" % item["id"]).encode()


def split(data, item):
    """The file before the block, the block's lines, the file after it; None for a missing block."""
    begin, end = markers(item)
    lines = data.splitlines(True)
    bare = [line.rstrip(b"\r\n") for line in lines]
    if begin not in bare or end not in bare[bare.index(begin):]:
        return data, None, b""
    first = bare.index(begin)
    last = bare.index(end, first)
    return b"".join(lines[:first]), b"".join(lines[first + 1:last]), b"".join(lines[last + 1:])


def block(item):
    return "".join(line + "\n" for line in item["block"].rstrip("\n").split("\n")).encode() if item["block"].strip("\n") else b""


class LineKind(Kind):
    def look(self, item):
        data = hosts.read_or_empty(item["path"])
        inside = split(data, item)[1]
        seen = {"exists": os.path.isfile(item["path"]), "present": inside is not None}
        if inside is not None:
            seen["sha256"] = hosts.sha256(inside)
        elif data and not data.endswith(b"\n"):
            seen["open_end"] = True
        return seen

    def wanted(self, item, seen, earlier):
        return {"present": True, "sha256": hosts.sha256(block(item))}

    def remember(self, item, seen):
        return {"exists": seen["exists"], "open_end": seen.get("open_end", False)}

    def apply(self, change, before):
        item = change.item
        made = hosts.make_parents(item["path"])
        if made:
            before["parents"] = made
        head, _, tail = split(hosts.read_or_empty(item["path"]), item)
        if head and not head.endswith(b"\n"):
            head += b"\n"
        begin, end = markers(item)
        hosts.rewrite(item["path"], head + begin + b"\n" + block(item) + end + b"\n" + tail)

    def leave(self, item, before):
        path = item["path"]
        if not os.path.isfile(path):
            return None
        head, inside, tail = split(hosts.read(path), item)
        if inside is None:
            return None
        if before["open_end"] and not tail and head.endswith(b"\n"):
            head = head[:-1]
        if before["exists"] or head + tail:
            hosts.rewrite(path, head + tail)
        else:
            os.unlink(path)
            hosts.remove_empty(before.get("parents", []))
        return "the block was removed"

    def diff(self, change):
        old = split(hosts.read_or_empty(change.item["path"]), change.item)[1] or b""
        return old.decode("utf-8", "replace"), block(change.item).decode()
