"""Finds a role's rendered contract in the bundle, packs the file bodies it needs, and has the module apply it."""

import base64
import gzip
import io
import json
import os
import tarfile

from ansible.errors import AnsibleActionFail, AnsibleFileNotFound
from ansible.module_utils.parsing.convert_bool import boolean
from ansible.plugins.action import ActionBase

ARGUMENTS = ("role", "phase", "state", "types", "remove_packages", "deleting", "dropped")


class ActionModule(ActionBase):
    # The bodies travel inside the module's arguments: no file on either side, one transfer.
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
        # Actions that a role no longer has lie beside the contract that it has now.
        dropped = boolean(arguments.pop("dropped", False))
        contract = self.contract(bundle, host, role + ".dropped" if dropped else role)
        phase = arguments.get("phase")
        if phase == "after" and not self.has_work_after(contract):
            result.update(changed=False, items=[], actions=[], reboot_needed=False)
            return result
        arguments["contract"] = contract
        if arguments.get("state", "held") == "held":
            # Of a role that stays, items may be left: its tasks, the same in every role, do not pass this on.
            arguments["remove_packages"] = boolean(task_vars.get("deepsite_remove_packages", False))
            arguments["archive"] = self.archive(os.path.join(bundle, "files", host), contract["items"], phase)
        result.update(self._execute_module("contract", module_args=arguments, task_vars=task_vars))
        return result

    def contract(self, bundle, host, role):
        path = os.path.join(bundle, "contracts", host, role + ".json")
        try:
            with open(path, encoding="utf-8") as stream:
                return json.load(stream)
        except OSError as fault:
            raise AnsibleActionFail("the bundle has no contract of role %s for %s: %s" % (role, host, fault)) from fault
        except ValueError as fault:
            raise AnsibleActionFail("%s is no JSON: %s" % (path, fault)) from fault

    @staticmethod
    def has_work_after(contract):
        return bool(contract.get("actions")) or any(item["phase"] == "after" for item in contract["items"])

    def archive(self, folder, items, phase):
        """Secret-bearing bodies lie vault-encrypted in the bundle and are decrypted in memory."""
        sources = sorted({item["source"] for item in items if item["type"] == "file" and item["phase"] == phase})
        if not sources:
            return None
        packed = io.BytesIO()
        with gzip.GzipFile(fileobj=packed, mode="wb", mtime=0) as stream, tarfile.open(fileobj=stream, mode="w") as tar:
            for source in sources:
                path = os.path.normpath(os.path.join(folder, source))
                if not path.startswith(os.path.join(folder, "")):
                    raise AnsibleActionFail("source %s of the contract leads out of %s" % (source, folder))
                try:
                    body, _ = self._loader._get_file_contents(path)
                except AnsibleFileNotFound as fault:
                    raise AnsibleActionFail("the bundle has no body %s" % path) from fault
                member = tarfile.TarInfo(source)
                member.size = len(body)
                tar.addfile(member, io.BytesIO(body))
        return base64.b64encode(packed.getvalue()).decode("ascii")
