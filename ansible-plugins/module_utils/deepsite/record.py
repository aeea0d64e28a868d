"""The host's record of its applied contracts."""

import json
import os

from ansible.module_utils.deepsite import host as hosts

FORMAT = 1


class Originals:
    """Original bytes of paths, saved below one folder that mirrors the host."""

    def __init__(self, folder):
        self.folder = folder

    def keep(self, path, data=None):
        if data is None and os.path.getsize(path) > hosts.LARGEST_FILE:
            raise hosts.ItemFailed(None, "%s is larger than 64 MiB, too large to save for leaving: move it away by hand" % path)
        kept = os.path.join(self.folder, path.lstrip("/"))
        os.makedirs(os.path.dirname(kept), mode=0o700, exist_ok=True)
        hosts.write(kept, hosts.read(path) if data is None else data, os.geteuid(), os.getegid(), 0o600)
        return kept

    def bytes_of(self, kept):
        return hosts.read(kept)

    def forget(self, kept):
        try:
            os.unlink(kept)
        except FileNotFoundError:
            return
        # The original may be from another role, in that role's folder beside ours.
        all_originals = os.path.dirname(self.folder)
        folder = os.path.dirname(kept)
        while folder.startswith(all_originals):
            try:
                os.rmdir(folder)
            except OSError:
                return
            folder = os.path.dirname(folder)


class Record:
    """One role's record: the items as applied (in order), their original states, units that still need a restart,
    and the actions that ran (`due` until their probe succeeded, then `done`)."""

    def __init__(self, folder, role):
        self.folder = folder
        self.role = role
        self.path = os.path.join(folder, "contracts", role + ".json")
        self.originals = Originals(os.path.join(folder, "originals", role))
        known = json.loads(hosts.read(self.path)) if os.path.exists(self.path) else {}
        if known.get("format", FORMAT) != FORMAT:
            raise hosts.ItemFailed(None, "%s was written by another version of deepsite (format %s)" % (self.path, known["format"]))
        self.fingerprint = known.get("fingerprint")
        self.items = known.get("items", [])
        self.before = known.get("before", {})
        self.pending = known.get("pending", {"restarts": [], "reloads": [], "daemon_reload": False})
        self.awaited = {"restarts": [], "reloads": []}
        self.actions = known.get("actions", {})
        self.saved = self.text()

    def text(self):
        # A unit that this run started is pending for the next one until it was seen to run.
        pending = dict(self.pending, **{what: list(dict.fromkeys(self.pending[what] + units)) for what, units in self.awaited.items()})
        return json.dumps({"format": FORMAT, "role": self.role, "fingerprint": self.fingerprint, "items": self.items, "before": self.before,
                           "pending": pending, "actions": self.actions}, indent=1, sort_keys=True)

    def save(self):
        """Writes the record if it changed since it was read or saved."""
        text = self.text()
        if text != self.saved:
            hosts.write(self.path, text.encode(), os.geteuid(), os.getegid(), 0o600)
            self.saved = text

    def item(self, item_id):
        return next((item for item in self.items if item["id"] == item_id), None)

    def earlier(self, item_id):
        """The item as applied, with its original state."""
        known = self.item(item_id)
        return known and dict(known, before=self.before.get(item_id, {}))

    def hold(self, item, position):
        """Records an item as applied. New ones are inserted in the contract's order, so that leaving can go backwards."""
        for index, known in enumerate(self.items):
            if known["id"] == item["id"]:
                self.items[index] = item
                return
        self.items.append(item)
        self.items.sort(key=lambda each: position.get(each["id"], -1))

    def drop(self, item_id):
        self.items = [item for item in self.items if item["id"] != item_id]
        self.before.pop(item_id, None)

    def wait_for(self, item, daemon_reload):
        """Records the restarts and reloads that a change needs, before the change."""
        for what in ("restarts", "reloads"):
            for unit in item.get(what) or []:
                if unit not in self.pending[what]:
                    self.pending[what].append(unit)
        if daemon_reload:
            self.pending["daemon_reload"] = True

    def settled(self):
        self.pending = {"restarts": [], "reloads": [], "daemon_reload": False}

    def await_units(self, started):
        self.awaited = {"restarts": [name for name, unit in started.items() if not unit.reloaded],
                        "reloads": [name for name, unit in started.items() if unit.reloaded]}

    def forget(self):
        if os.path.exists(self.path):
            os.unlink(self.path)
        for folder in (self.originals.folder, os.path.dirname(self.originals.folder), os.path.dirname(self.path)):
            try:
                os.rmdir(folder)
            except OSError:
                continue


def others(folder, role):
    """The records of the other roles on this host."""
    contracts = os.path.join(folder, "contracts")
    names = sorted(os.listdir(contracts)) if os.path.isdir(contracts) else []
    return [Record(folder, name[:-5]) for name in names if name.endswith(".json") and name != role + ".json"]
