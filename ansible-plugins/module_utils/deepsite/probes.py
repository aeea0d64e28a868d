"""Commands that check something: probes of the contract, and `done` commands of its actions. Argument lists, never a shell."""

import time

from ansible.module_utils.deepsite.host import ItemFailed
from ansible.module_utils.deepsite.kind import Kind
from ansible.module_utils.deepsite.services import Units

TIME_LIMIT = 120
TIMED_OUT = 124
PATIENCE = 15
SHOWN = 400


class ProbeKind(Kind):
    """`units` has those that were started before the probes."""

    def __init__(self, host, originals):
        super().__init__(host, originals)
        self.units = Units(host)

    def look(self, item):
        answer = self.host.run(item["run"], timeout=TIME_LIMIT)
        return {"rc": answer.rc, "stdout": answer.out.strip(), "said": answer.words()}

    def wanted(self, item, seen, earlier):
        wanted = {"rc": int(item.get("expect_rc") or 0)}
        if item.get("expect") is not None:
            wanted["stdout"] = str(item["expect"]).strip()
        return wanted

    def remember(self, item, seen):
        return {}

    def apply(self, change, before):
        """Only waiting can help: a daemon that just started may need a moment."""
        deadline = time.monotonic() + PATIENCE
        while True:
            seen = self.look(change.item)
            if all(seen[name] == value for name, value in change.wanted.items()):
                return
            self.units.check_started()
            if time.monotonic() > deadline:
                raise ItemFailed(change.item["id"], "%s answered %s (exit code %d), wanted %s" % (
                    " ".join(change.item["run"]), repr(seen["stdout"][:SHOWN]) if "stdout" in change.wanted else repr(seen["said"][:SHOWN]),
                    seen["rc"], repr(change.wanted["stdout"]) if "stdout" in change.wanted else "exit code %d" % change.wanted["rc"]))
            time.sleep(0.5)

    def leave(self, item, before):
        return None


class Actions:
    """The contract's actions that are checked on the host."""

    def __init__(self, host, record, check):
        self.host = host
        self.record = record
        self.check = check

    def is_done(self, action):
        """A busy host's timeout is not a "no": the action would run again."""
        answer = self.host.run(action["done"], timeout=TIME_LIMIT)
        if answer.rc == TIMED_OUT:
            raise ItemFailed("action:" + action["id"], "it is unknown whether it is done: %s" % answer.words()[:SHOWN])
        return answer.rc == 0

    def due(self, actions):
        """The ids of actions whose probe fails. They are recorded before they run, so that leaving knows them."""
        due = [action["id"] for action in actions if not self.is_done(action)]
        if not self.check:
            for each in due:
                self.record.actions[each] = "due"
            self.record.save()
        return due

    def confirm(self, actions):
        """After the actions ran: the probe of each must succeed now."""
        for action in actions:
            if self.record.actions.get(action["id"]) != "due":
                continue
            answer = self.host.run(action["done"], timeout=TIME_LIMIT)
            if answer.rc != 0:
                raise ItemFailed("action:" + action["id"], "it ran, but %s still fails: %s" % (" ".join(action["done"]), answer.words()[:SHOWN]))
            self.record.actions[action["id"]] = "done"
            self.record.save()

    def ours(self, actions):
        """The actions that ran, even if their probe fails now: on a drifted host only a part may be missing."""
        return [action["id"] for action in actions if action["id"] in self.record.actions]
