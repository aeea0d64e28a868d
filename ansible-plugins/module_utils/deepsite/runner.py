"""Applies and leaves a contract, item by item, and records on the host what leaving needs."""

import contextlib
import fcntl
import itertools
import os
import time

from ansible.module_utils.deepsite.accounts import GroupKind, UserKind
from ansible.module_utils.deepsite.files import DirectoryKind, FileKind, LinkKind, RepositoryKind
from ansible.module_utils.deepsite.host import ItemFailed
from ansible.module_utils.deepsite.ini import IniKind
from ansible.module_utils.deepsite.kernel import KernelKind
from ansible.module_utils.deepsite.kind import Change
from ansible.module_utils.deepsite.lines import LineKind
from ansible.module_utils.deepsite.mounts import MountKind
from ansible.module_utils.deepsite.packages import NothingStarted, PackageKind
from ansible.module_utils.deepsite.probes import Actions, ProbeKind
from ansible.module_utils.deepsite.record import Record, others
from ansible.module_utils.deepsite.services import ServiceKind, is_unit_file

FOLDER = "/var/lib/deepsite"
LOCK_PATIENCE = 900
KINDS = {
    "repository": RepositoryKind, "package": PackageKind, "group": GroupKind, "user": UserKind, "directory": DirectoryKind,
    "link": LinkKind, "file": FileKind, "ini": IniKind, "line": LineKind, "mount": MountKind, "kernel": KernelKind,
    "service": ServiceKind, "probe": ProbeKind,
}


@contextlib.contextmanager
def alone(folder):
    """One role at a time on a host, because roles share apt, systemd and the records."""
    for each in (folder, os.path.join(folder, "contracts"), os.path.join(folder, "originals")):
        os.makedirs(each, mode=0o700, exist_ok=True)
    with open(os.path.join(folder, "lock"), "w", encoding="utf-8") as lock:
        deadline = time.monotonic() + LOCK_PATIENCE
        while True:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except OSError:
                if time.monotonic() > deadline:
                    raise ItemFailed(None, "another deepsite run holds %s/lock for more than %d s" % (folder, LOCK_PATIENCE)) from None
                time.sleep(0.5)
        NothingStarted.recover()
        yield


class Runner:
    def __init__(self, host, role, folder=FOLDER):
        self.host = host
        self.folder = folder
        self.role = role
        self.items = []
        self.diffs = []
        self.restarted = []
        self.reloaded = []

    @property
    def changed(self):
        return any(item["changed"] for item in self.items) or bool(self.restarted or self.reloaded)

    @property
    def reboot_needed(self):
        return self.kinds["kernel"].reboot_needed

    @contextlib.contextmanager
    def opened(self):
        """Reads the record under the host's lock; check mode neither locks nor writes."""
        with contextlib.nullcontext() if self.host.check else alone(self.folder):
            self.record = Record(self.folder, self.role)
            self.others = others(self.folder, self.role)
            self.kinds = {name: kind(self.host, self.record.originals) for name, kind in KINDS.items()}
            self.units = self.kinds["probe"].units = self.kinds["service"].units
            self.actions = Actions(self.host, self.record, self.host.check)
            try:
                yield
            except ItemFailed:
                # What failed may have needed a unit that was started and died: then that one is at fault.
                self.units.check_started()
                raise

    # --- holding ---

    def hold(self, contract, phase, remove_packages=False):
        """Returns the ids of due actions (phase before). Leaves items that the contract no longer has."""
        with self.opened():
            self.kinds["package"].remove_packages = remove_packages
            self.services = [item for item in contract["items"] if item["type"] == "service"]
            position = {item["id"]: number for number, item in enumerate(contract["items"])}
            if phase == "before":
                self.leave_items([item for item in self.record.items if item["id"] not in position])
            items = [item for item in contract["items"] if item["phase"] == phase]
            for kind, group in itertools.groupby(items, key=lambda item: item["type"]):
                if kind in ("service", "probe"):
                    self.settle()
                self.hold_group(kind, list(group), position)
            self.settle()
            self.await_running()
            if not self.host.check:
                self.record.fingerprint = contract.get("fingerprint")
                self.record.save()
            actions = contract.get("actions") or []
            if phase == "before":
                return self.actions.due(actions)
            if not self.host.check:
                self.actions.confirm(actions)
            return []

    def hold_group(self, name, items, position):
        if name not in KINDS:
            raise ItemFailed(items[0]["id"], "this version of deepsite's module has no item type %s" % name)
        kind = self.kinds[name]
        with failing_as(items[0]["id"]):
            found = [Change(item, seen, kind.wanted(item, seen, self.record.earlier(item["id"])))
                     for item, seen in zip(items, kind.look_all(items))]
        changes = [change for change in found if change.differing]
        for change in changes:
            self.diff(kind, change)
        if not self.host.check:
            self.remember(kind, found, position)
            try:
                if changes:
                    kind.apply_all(changes, [self.record.before[change.item["id"]] for change in changes])
            finally:
                self.save()
                self.report(name, [change for change in found if change.applied or not change.differing])
        else:
            self.report(name, found)

    def remember(self, kind, found, position):
        for change in found:
            item = change.item
            if item["id"] not in self.record.before:
                with failing_as(item["id"]):
                    self.record.before[item["id"]] = self.inherited(item) or kind.remember(item, change.seen)
            else:
                kind.remember_more(item, change.seen, self.record.item(item["id"]) or {}, self.record.before[item["id"]])
            self.record.hold(item, position)
            if change.differing:
                self.record.wait_for(item, is_unit_file(item))
        self.record.save()

    def inherited(self, item):
        """The original state that another role recorded for the same item."""
        return next((dict(other.before[item["id"]]) for other in self.others if item["id"] in other.before), None)

    def report(self, name, found):
        for change in found:
            secret = bool(change.item.get("secret"))
            self.items.append({
                "id": change.item["id"],
                "changed": bool(change.differing) and name != "probe",
                "before": {field: shown(change.seen.get(field), secret) for field in change.differing},
                "after": {field: shown(change.wanted[field], secret) for field in change.differing},
                "msg": "; ".join(change.notes),
            })

    def diff(self, kind, change):
        texts = kind.diff(change)
        if change.item.get("secret"):
            texts = ("[secret]\n", "[another secret]\n")
        elif texts is None or texts[0] == texts[1]:
            texts = tuple("".join("%s: %s\n" % (field, side.get(field)) for field in change.differing) for side in (change.seen, change.wanted))
        self.diffs.append({"before_header": change.item["id"], "after_header": change.item["id"], "before": texts[0], "after": texts[1]})

    def settle(self):
        """The daemon-reload, restarts and reloads that changed items need, also those of a killed run."""
        pending = self.record.pending
        if self.host.check or not (pending["daemon_reload"] or pending["restarts"] or pending["reloads"]):
            return
        if pending["daemon_reload"]:
            self.units.daemon_reload()
        restarted, reloaded = self.units.wake(pending, self.services)
        self.restarted += restarted
        self.reloaded += reloaded
        self.record.settled()
        self.save()

    def await_running(self):
        self.units.await_running()
        if not self.host.check:
            self.save()

    def save(self):
        self.record.await_units(self.units.started)
        self.record.save()

    # --- leaving ---

    def ours(self, contract):
        """The ids of the actions that ran."""
        with self.opened():
            return self.actions.ours(contract.get("actions") or [])

    def leave(self, remove_packages, types=None):
        """Leaves everything; with `types` only items of these types, and the rest is still held."""
        with self.opened():
            self.services = []
            self.kinds["package"].remove_packages = remove_packages
            self.leave_items([item for item in self.record.items if types is None or item["type"] in types])
            self.settle()
            self.await_running()
            if not self.host.check and types is None:
                self.record.forget()

    def leave_items(self, items):
        for name, group in itertools.groupby(reversed(items), key=lambda item: item["type"]):
            self.leave_group(self.kinds[name], list(group))

    def leave_group(self, kind, items):
        shared = {item["id"]: other.role for item in items for other in self.others if other.item(item["id"])}
        ours = [item for item in items if item["id"] not in shared]
        if self.host.check:
            said = {item["id"]: "would be left" for item in ours}
        else:
            for item in ours:
                self.record.wait_for(item, is_unit_file(item))
            self.record.save()
            said = kind.leave_all(ours, [self.record.before[item["id"]] for item in ours]) if ours else {}
            for item in items:
                self.record.drop(item["id"])
            self.record.save()
        for item in items:
            words = said.get(item["id"])
            self.items.append({
                "id": item["id"],
                "changed": bool(words) and not words.startswith(("kept", "not put back")),
                "before": {}, "after": {},
                "msg": "role %s holds it too" % shared[item["id"]] if item["id"] in shared else words or "nothing to do",
            })


def shown(value, secret):
    return "[secret]" if secret and value is not None else value


@contextlib.contextmanager
def failing_as(item_id):
    """An operating system error while an item is checked is the item's."""
    try:
        yield
    except OSError as fault:
        raise ItemFailed(item_id, str(fault)) from fault
