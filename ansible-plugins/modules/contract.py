#!/usr/bin/python3
"""Applies a role's contract to this host; called by the action plugin of the same name."""

DOCUMENTATION = """
module: contract
short_description: Applies or leaves a role's contract on a host
description:
  - Applies the items of a rendered contract in order and returns what changed in each. See docs/reference/contracts.md.
options:
  contract: {type: dict, required: true, description: The rendered contract of one role on this host.}
  phase: {type: str, choices: [before, after], description: Which items to hold. Required with state held.}
  state: {type: str, choices: [held, leaving, left], default: held, description: Hold; ask which actions ran; undo the items.}
  types: {type: list, elements: str, description: 'With state left - only items of these types, for an undo that needs them removed first.'}
  archive: {type: str, description: 'The bodies of the files: base64 of a tar.gz.'}
  remove_packages: {type: bool, default: false, description: When leaving - also remove packages that the role installed.}
"""

RETURN = """
items: {type: list, description: Per item id, changed, before, after, msg.}
failed_item: {type: str, description: The item at which it stopped.}
reboot_needed: {type: bool}
actions: {type: list, description: Ids of the actions that are due (phase before) or that ran (state leaving).}
restarted: {type: list}
reloaded: {type: list}
"""

import base64
import io
import tarfile

from ansible.module_utils.basic import AnsibleModule
from ansible.module_utils.deepsite.host import Host, ItemFailed
from ansible.module_utils.deepsite.runner import Runner


def bodies_of(archive):
    """Members are read in memory and never unpacked, so their names cannot reach a path."""
    if not archive:
        return {}
    with tarfile.open(fileobj=io.BytesIO(base64.b64decode(archive)), mode="r:gz") as tar:
        return {member.name: tar.extractfile(member).read() for member in tar if member.isfile()}


def main():
    module = AnsibleModule(
        argument_spec={
            "contract": {"type": "dict", "required": True},
            "phase": {"type": "str", "choices": ["before", "after"]},
            "state": {"type": "str", "choices": ["held", "leaving", "left"], "default": "held"},
            "types": {"type": "list", "elements": "str"},
            "archive": {"type": "str", "no_log": True},
            "remove_packages": {"type": "bool", "default": False},
        },
        required_if=[("state", "held", ["phase"])],
        supports_check_mode=True,
        # The host's log does not get the arguments: they contain the whole contract.
        no_log=True,
    )
    contract = module.params["contract"]
    runner = Runner(Host(bodies_of(module.params["archive"]), module.check_mode), contract["role"])
    actions = []
    failure = None
    try:
        if module.params["state"] == "held":
            actions = runner.hold(contract, module.params["phase"], module.params["remove_packages"])
        elif module.params["state"] == "leaving":
            actions = runner.ours(contract)
        else:
            runner.leave(module.params["remove_packages"], module.params["types"])
    except ItemFailed as fault:
        failure = fault
    result = {
        "changed": runner.changed,
        "items": runner.items,
        "actions": actions,
        "reboot_needed": runner.reboot_needed,
        "restarted": runner.restarted,
        "reloaded": runner.reloaded,
        "invocation": {"module_args": {"role": contract["role"], "phase": module.params["phase"], "state": module.params["state"]}},
    }
    if module._diff:
        result["diff"] = runner.diffs
    if failure:
        prefix = failure.item_id + ": " if failure.item_id else ""
        module.fail_json(msg=prefix + failure.message, failed_item=failure.item_id, **result)
    module.exit_json(**result)


if __name__ == "__main__":
    main()
