"""Reads a role's rendered contract from the bundle, packs the file bodies it needs, and runs the module with them.

The answer comes from an untrusted host: it may name actions of the contract, and nothing else in it has an effect here. ADR 19."""

import base64
import gzip
import io
import json
import os
import tarfile

from ansible.errors import AnsibleActionFail, AnsibleFileNotFound
from ansible.module_utils.parsing.convert_bool import boolean
from ansible.plugins.action import ActionBase

# Other members of an answer: for display and logs only.
TOLD = ("msg", "items", "failed_item", "restarted", "reloaded", "rc", "module_stdout", "module_stderr", "exception")
SHOWN = 200
ARGUMENTS = ("role", "phase", "state", "types", "remove_packages", "deleting", "dropped")


class ActionModule(ActionBase):
    # The module's arguments carry the bodies: no temporary files, one transfer.
    TRANSFERS_FILES = False
    _VALID_ARGS = frozenset(ARGUMENTS)

    def run(self, tmp=None, task_vars=None):
        result = super().run(tmp, task_vars)
        arguments = dict(self._task.args)
        role = arguments.pop("role", None)
        if not role:
            raise AnsibleActionFail("contract needs role: the name of the role")
        bundle = task_vars["playbook_dir"]
        host = task_vars["inventory_hostname"]
        # A dropped role's actions are beside its current contract.
        dropped = boolean(arguments.pop("dropped", False))
        contract = self.contract(bundle, host, role + ".dropped" if dropped else role)
        phase = arguments.get("phase")
        if phase == "after" and not self.has_work_after(contract):
            result.update(changed=False, items=[], actions=[], reboot_needed=False)
            return result
        arguments["contract"] = contract
        if arguments.get("state", "held") == "held":
            # Leaves some items of a role that stays. An action file passes this on; the common tasks do not.
            arguments["remove_packages"] = boolean(task_vars.get("deepsite_remove_packages", False))
            arguments["archive"] = self.archive(os.path.join(bundle, "files", host), contract["items"], phase)
        deleting = boolean(arguments.pop("deleting", False))
        answer = self._execute_module("contract", module_args=arguments, task_vars=task_vars)
        result.update((name, answer[name]) for name in TOLD if name in answer)
        result.update(changed=answer.get("changed") is True, reboot_needed=answer.get("reboot_needed") is True, failed=bool(answer.get("failed")), actions=[])
        if self._task.diff:
            result["diff"] = [side for side in as_list(answer.get("diff")) if isinstance(side, dict) and all(isinstance(text, str) for text in side.values())]
        if result["failed"]:
            return result
        if arguments.get("state") == "leaving":
            result["actions"] = undone(self.named(host, contract, answer), deleting)
        elif phase == "before":
            result["actions"] = self.named(host, contract, answer)
        return result

    @staticmethod
    def named(host, contract, answer):
        """The contract's actions that the host names, in the contract's order."""
        known = {action["id"]: action for action in contract.get("actions") or []}
        ids = answer.get("actions")
        if not isinstance(ids, list) or any(not isinstance(each, str) or each not in known for each in ids) or len(set(ids)) < len(ids):
            raise AnsibleActionFail("%s returned %s as actions, not ids of its contract. The host may be compromised." % (
                host, ascii(ids)[:SHOWN]))
        return [action for action in known.values() if action["id"] in ids]

    def contract(self, bundle, host, role):
        path = os.path.join(bundle, "contracts", host, role + ".json")
        try:
            with open(path, encoding="utf-8") as stream:
                return json.load(stream)
        except OSError as fault:
            raise AnsibleActionFail("the bundle has no contract of role %s for %s: %s" % (role, host, fault)) from fault
        except ValueError as fault:
            raise AnsibleActionFail("%s is not JSON: %s" % (path, fault)) from fault

    @staticmethod
    def has_work_after(contract):
        return bool(contract.get("actions")) or any(item["phase"] == "after" for item in contract["items"])

    def archive(self, folder, items, phase):
        """Bodies with secrets are vault-encrypted in the bundle and decrypted only in memory."""
        sources = sorted({item["source"] for item in items if item["type"] == "file" and item["phase"] == phase})
        if not sources:
            return None
        packed = io.BytesIO()
        with gzip.GzipFile(fileobj=packed, mode="wb", mtime=0) as stream, tarfile.open(fileobj=stream, mode="w") as tar:
            for source in sources:
                path = os.path.normpath(os.path.join(folder, source))
                if not path.startswith(os.path.join(folder, "")):
                    raise AnsibleActionFail("source %s of the contract is outside %s" % (source, folder))
                try:
                    body, _ = self._loader._get_file_contents(path)
                except AnsibleFileNotFound as fault:
                    raise AnsibleActionFail("the bundle has no body %s" % path) from fault
                member = tarfile.TarInfo(source)
                member.size = len(body)
                tar.addfile(member, io.BytesIO(body))
        return base64.b64encode(packed.getvalue()).decode("ascii")


def as_list(value):
    return value if isinstance(value, list) else []


def undone(actions, deleting):
    """The actions to undo, in reverse order. `undo` is a file of tasks, or a sentence that explains why there is none."""
    return [action for action in reversed(actions)
            if action.get("undo") and " " not in action["undo"] and (action.get("on_delete") or not deleting)]
