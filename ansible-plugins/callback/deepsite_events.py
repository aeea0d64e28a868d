"""Appends one JSON object per event to the file named by DEEPSITE_EVENTS; does nothing when the variable is unset.
Ends Ansible at its next task once the file named by DEEPSITE_ALIVE is older than DEEPSITE_ALIVE_SECONDS.

Events: play, task, result, included, stats. docs/reference/contracts.md lists their members.
"""

import json
import os
import re
import signal
import time

from ansible.plugins.callback import CallbackBase

DOCUMENTATION = """
name: deepsite_events
type: notification
short_description: JSON lines of events, for deepsite
description:
  - Writes one JSON object per line to the file named by the environment variable DEEPSITE_EVENTS.
"""

# Members of a result that deepsite reads; the rest (facts, full module outputs) stays in Ansible's log. Hosts are untrusted: each member
# is written with its expected type and a limited length.
TEXTS = ("msg", "stderr", "failed_item")
LISTS = ("restarted", "reloaded")
ITEM_TEXTS = ("id", "msg")
ITEM_SIDES = ("before", "after")
ACTION_FIELDS = ("id", "does", "blast")
LONGEST = 4000
# Limits of lists and maps: a contract has hundreds of items, a loop dozens of iterations.
MOST = 10000
LARGEST_LINE = 4 * 1024 * 1024
LARGEST_NUMBER = 2 ** 53
# Control characters except tab and line break, bidirectional marks, surrogates.
NOT_SHOWN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def text(value):
    """A string; characters that could control a terminal become question marks."""
    if not isinstance(value, str):
        try:
            value = json.dumps(value)
        except (TypeError, ValueError, RecursionError):
            value = "?"
    cut = value[:LONGEST] + "…" if len(value) > LONGEST else value
    return NOT_SHOWN.sub("?", cut.replace("\r\n", "\n").replace("\r", "\n"))


def plain(value, depth=3):
    """A JSON value, limited to an item's depth."""
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, int) and abs(value) <= LARGEST_NUMBER:
        return int(value)
    if depth and isinstance(value, list):
        return [plain(each, depth - 1) for each in value[:MOST]]
    if depth and isinstance(value, dict):
        return {text(name): plain(each, depth - 1) for name, each in list(value.items())[:MOST]}
    return text(value)


def as_list(value):
    return value[:MOST] if isinstance(value, list) else []


def item(known):
    told = {name: text(known.get(name, "")) for name in ITEM_TEXTS}
    told.update((name, plain(known[name]) if isinstance(known.get(name), dict) else {}) for name in ITEM_SIDES)
    return dict(told, changed=known.get("changed") is True)


def members_of(known):
    """The members of a result, of a task or of one loop iteration."""
    members = {name: text(known[name]) for name in TEXTS if known.get(name) is not None}
    if isinstance(plain(known.get("rc"), 0), int):
        members["rc"] = plain(known["rc"])
    if "reboot_needed" in known:
        members["reboot_needed"] = known["reboot_needed"] is True
    members.update((name, [text(each) for each in as_list(known[name])]) for name in LISTS if name in known)
    return members


class CallbackModule(CallbackBase):
    CALLBACK_VERSION = 2.0
    CALLBACK_TYPE = "notification"
    CALLBACK_NAME = "deepsite_events"

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        path = os.environ.get("DEEPSITE_EVENTS")
        self.disabled = not path
        if path:
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
            self.stream = os.fdopen(descriptor, "w", encoding="utf-8")
        self.play = None
        self.alive = os.environ.get("DEEPSITE_ALIVE")
        self.patience = float(os.environ.get("DEEPSITE_ALIVE_SECONDS", "0"))

    def end_if_alone(self):
        """Ends Ansible if the deepsite that began it was stopped or killed: another one may soon work on these hosts."""
        if self.alive and time.time() - os.stat(self.alive).st_mtime > self.patience:
            self._display.error("The deepsite that began this does not work any more. No further task is begun.")
            os.kill(os.getpid(), signal.SIGTERM)

    def write(self, event, **members):
        told = dict(members, event=event, time=round(time.time(), 3))
        line = json.dumps(told, sort_keys=True, default=str)
        if len(line) > LARGEST_LINE:
            line = json.dumps({name: value for name, value in told.items() if name not in ("items", "loop")}, sort_keys=True, default=str)
        self.stream.write(line + "\n")
        self.stream.flush()

    def v2_playbook_on_play_start(self, play):
        self.play = play.get_name().strip()
        self.write("play", play=self.play)

    def v2_playbook_on_task_start(self, task, is_conditional):
        self.end_if_alone()
        self.write("task", **self.task(task))

    def v2_playbook_on_handler_task_start(self, task):
        self.write("task", **self.task(task))

    def v2_playbook_on_include(self, included_file):
        # pylint: disable=protected-access
        self.write("included", file=os.path.basename(str(included_file._filename)), hosts=sorted(host.name for host in included_file._hosts),
                   **self.task(included_file._task))

    def v2_runner_on_ok(self, result):
        self.result(result, "changed" if result._result.get("changed") else "ok")

    def v2_runner_on_failed(self, result, ignore_errors=False):
        self.result(result, "failed", ignored=bool(ignore_errors))

    def v2_runner_on_unreachable(self, result):
        self.result(result, "unreachable")

    def v2_runner_on_skipped(self, result):
        self.result(result, "skipped")

    def v2_playbook_on_stats(self, stats):
        self.write("stats", hosts={host: stats.summarize(host) for host in sorted(stats.processed)})

    def task(self, task):
        role = task._role.get_name() if task._role else None
        return {"play": self.play, "role": role, "task": task.name or task.action, "task_id": task._uuid, "action": task.action}

    def result(self, result, status, **members):
        known = result._result
        members.update(self.task(result._task), host=result._host.get_name(), status=status, changed=bool(known.get("changed")))
        # Set by the tasks that all roles share, never by a host.
        if result._task.vars.get("deepsite_ends") is True:
            members["ends"] = True
        if result._task.no_log or known.get("_ansible_no_log"):
            members["censored"] = True
        else:
            members.update(members_of(known))
            if "items" in known:
                members["items"] = [item(each) for each in as_list(known["items"]) if isinstance(each, dict)]
            if "actions" in known:
                members["actions"] = [{name: action.get(name) for name in ACTION_FIELDS} for action in self.actions(result)]
            if "results" in known:
                members["loop"] = [self.loop_item(each) for each in as_list(known["results"]) if isinstance(each, dict)]
        self.write("result", **members)

    def loop_item(self, known):
        if known.get("_ansible_no_log"):
            return {"censored": True}
        status = "failed" if known.get("failed") else "skipped" if known.get("skipped") else "changed" if known.get("changed") else "ok"
        return dict(members_of(known), status=status, label=text(known.get("_ansible_item_label", "")))

    @staticmethod
    def actions(result):
        """Only our action plugin's results have them; another module's member of that name is untrusted."""
        return result._result["actions"] if result._task.action == "contract" else []
