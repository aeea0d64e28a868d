"""Appends one JSON object per event to the file named by DEEPSITE_EVENTS; does nothing when the variable is unset.

Events: play, task, result, included, stats. docs/reference/contracts.md lists their members.
"""

import json
import os
import time

from ansible.plugins.callback import CallbackBase

DOCUMENTATION = """
name: deepsite_events
type: notification
short_description: JSON lines of what happens, for deepsite
description:
  - Writes one JSON object per line to the file named by the environment variable DEEPSITE_EVENTS.
"""

# Members of a result that deepsite reads. The rest (facts, whole outputs of modules) stays in Ansible's own log.
FIELDS = ("msg", "items", "failed_item", "reboot_needed", "restarted", "reloaded", "rc", "stderr", "actions")
ACTION_FIELDS = ("id", "does", "blast")
LONGEST = 4000


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

    def write(self, event, **members):
        line = json.dumps(dict(members, event=event, time=round(time.time(), 3)), sort_keys=True, default=str)
        self.stream.write(line + "\n")
        self.stream.flush()

    def v2_playbook_on_play_start(self, play):
        self.play = play.get_name().strip()
        self.write("play", play=self.play)

    def v2_playbook_on_task_start(self, task, is_conditional):
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
        if result._task.no_log or known.get("_ansible_no_log"):
            members["censored"] = True
        else:
            members.update((name, self.short(known[name])) for name in FIELDS if name in known)
            if "actions" in members:
                members["actions"] = [{name: action.get(name) for name in ACTION_FIELDS} for action in members["actions"]]
            if "results" in known:
                members["loop"] = [self.loop_item(each) for each in known["results"] if isinstance(each, dict)]
        self.write("result", **members)

    def loop_item(self, known):
        if known.get("_ansible_no_log"):
            return {"censored": True}
        status = "failed" if known.get("failed") else "skipped" if known.get("skipped") else "changed" if known.get("changed") else "ok"
        item = {name: self.short(known[name]) for name in FIELDS if name in known and name not in ("items", "actions")}
        return dict(item, status=status, label=str(known.get("_ansible_item_label", "")))

    @staticmethod
    def short(value):
        return value[:LONGEST] + "…" if isinstance(value, str) and len(value) > LONGEST else value
