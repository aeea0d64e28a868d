"""A compromised host answers arbitrarily. It decides nothing on the controller and does not stop another host's run."""

import base64
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

import plugins
import yaml
from ansible.errors import AnsibleActionFail

sys.path.insert(0, os.path.join(plugins.PLUGINS, "action"))
from contract import ActionModule  # noqa: E402 (needs the path above)

# Prints the file in the folder of answers, whatever it contains: a host can do that.
LIAR = """#!/usr/bin/python3
import sys
from ansible.module_utils.basic import AnsibleModule
module = AnsibleModule({"contract": {"type": "dict"}, "phase": {}, "archive": {"no_log": False}, "state": {}, "remove_packages": {}, "types": {}}, supports_check_mode=True)
contract = module.params["contract"]
if module.params["phase"] == "after" or module.params["state"] == "left":
    module.exit_json(changed=False)
with open("%s/answers/" + contract["host"], "rb") as stream:
    sys.stdout.buffer.write(stream.read())
sys.stdout.buffer.flush()
sys.exit(0)
"""
ACTIONS = [
    {"id": "first", "does": "goes first", "done": ["false"], "run": "first.yml", "undo": "first_undo.yml", "with": {"word": "ours"}, "on_delete": True},
    {"id": "second", "does": "goes second", "done": ["false"], "run": "second.yml", "undo": "nothing was changed", "with": {"word": "ours"}},
    {"id": "third", "does": "goes third", "done": ["false"], "run": "third.yml", "undo": "third_undo.yml", "with": {"word": "{{ 6 * 7 }}"}},
]
# On the controller, a file per host lists which tasks ran and with what.
NOTE = """
- name: Note
  ansible.builtin.lineinfile:
    path: "%s/ran/{{ inventory_hostname }}"
    create: true
    mode: "0600"
    line: "%s {{ action_args.word }}"
"""
ELSEWHERE = "elsewhere.yml"


def answer(actions, **more):
    return json.dumps(dict({"changed": False, "items": [], "actions": actions}, **more))


def deep(levels):
    return '{"changed": false, "actions": [], "items": %s1%s}' % ("[" * levels, "]" * levels)


class HostileTest(unittest.TestCase):
    def setUp(self):
        self.bundle = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.bundle)
        self.write("library/contract.py", LIAR % self.bundle)
        for tasks in ("main.yml", "leave.yml"):
            shutil.copyfile(os.path.join(plugins.REPOSITORY, "ansible-plugins/tasks", tasks), self.path("roles/victim/tasks/" + tasks))
        for name in ("first", "second", "third", "first_undo", "third_undo"):
            self.write("roles/victim/tasks/%s.yml" % name, NOTE % (self.bundle, name))
        self.write(ELSEWHERE, NOTE % (self.bundle, "elsewhere"))
        os.mkdir(self.path("ran"))

    def path(self, name):
        path = os.path.join(self.bundle, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        return path

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as stream:
            stream.write(text)

    def play(self, answers, tasks="main.yml", **variables):
        """What ran, by host, when the hosts give these answers."""
        for host, text in answers.items():
            self.write("answers/" + host, text)
            self.write("contracts/%s/victim.json" % host, json.dumps({"role": "victim", "host": host, "fingerprint": "f", "items": [], "actions": ACTIONS}))
        self.write("inventory", "".join("%s ansible_connection=local ansible_python_interpreter=/usr/bin/python3\n" % host for host in answers))
        self.write("play.yml", json.dumps([{"name": "Play", "hosts": "all", "gather_facts": False, "vars": variables, "tasks": [
            {"name": "Role", "ansible.builtin.include_role": {"name": "victim", "tasks_from": tasks, "rolespec_validate": False}}]}]))
        self.write("ansible.cfg", "[defaults]\ninventory = inventory\nlibrary = library\nroles_path = roles\nforks = 15\naction_plugins = %s/action\ncallback_plugins = %s/callback\n"
                                  "local_tmp = %s/tmp\nremote_tmp = %s/tmp\n" % (plugins.PLUGINS, plugins.PLUGINS, self.bundle, self.bundle))
        done = subprocess.run(["/usr/bin/python3", "/usr/bin/ansible-playbook", "play.yml"], cwd=self.bundle, check=False, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, env=dict(os.environ, DEEPSITE_EVENTS=self.path("events"), ANSIBLE_NOCOLOR="1"))
        self.log = done.stdout.decode("utf-8", "replace")
        with open(self.path("events"), encoding="utf-8") as stream:
            self.lines = stream.read().splitlines()
        self.events = [json.loads(line, parse_constant=self.fail) for line in self.lines]
        return {host: self.ran(host) for host in answers}

    def ran(self, host):
        if not os.path.exists(self.path("ran/" + host)):
            return []
        with open(self.path("ran/" + host), encoding="utf-8") as stream:
            return stream.read().splitlines()

    def failed(self, host):
        return next(event for event in self.events if event["event"] == "result" and event["status"] == "failed" and event["host"] == host)

    def test_a_host_says_which_actions_are_due_and_nothing_of_what_they_do(self):
        ran = self.play({
            "honest": answer(["third", "first"]),
            "path": answer([{"id": "first", "run": self.path(ELSEWHERE), "with": {"word": "theirs"}}]),
        })

        # In the contract's own order, with its own texts, which are not templates.
        self.assertEqual(ran.pop("honest"), ["first ours", "third {{ 6 * 7 }}"])
        self.assertEqual({host: lines for host, lines in ran.items() if lines}, {}, self.log)
        self.assertIn("as actions, not ids of its contract", self.failed("path")["msg"])

    def test_anything_but_ids_of_the_contract_is_refused(self):
        contract = {"actions": ACTIONS}
        self.assertEqual([action["id"] for action in ActionModule.named("a", contract, {"actions": ["third", "first"]})], ["first", "third"])
        for actions in (["../../../" + ELSEWHERE], ["first", "fourth"], ["first", "first"], "first", {"first": True}, None, ["first", 5, None], [["first"]], 5,
                        [{"id": "first"}], [ACTIONS[0]]):
            with self.assertRaises(AnsibleActionFail, msg=actions):
                ActionModule.named("a", contract, {"actions": actions})
        with self.assertRaises(AnsibleActionFail):
            ActionModule.named("a", contract, {})

    def test_a_host_says_which_actions_it_remembers_and_the_contract_says_which_of_them_are_undone(self):
        answers = {"honest": answer(["first", "second", "third"]), "path": answer([{"id": "first", "undo": self.path(ELSEWHERE), "with": {"word": "theirs"}}])}

        self.assertEqual(self.play(answers, "leave.yml"), {"honest": ["third_undo {{ 6 * 7 }}", "first_undo ours"], "path": []})

    def test_before_a_machine_goes_only_what_has_to_be_undone_is(self):
        self.assertEqual(self.play({"honest": answer(["first", "third"])}, "leave.yml", deepsite_deleting=True), {"honest": ["first_undo ours"]})

    def test_facts_of_a_host_are_no_variables(self):
        taken = {"action_args": {"word": "theirs"}, "role_name": "other", "playbook_dir": "/", "deepsite_contract": {"actions": ACTIONS}, "deepsite_action": ACTIONS[0],
                 "ansible_check_mode": True, "deepsite_deleting": True}

        self.assertEqual(self.play({"liar": answer(["first"], ansible_facts=taken)}), {"liar": ["first ours"]})

    def test_answers_that_are_none_fail_their_host_alone(self):
        wide = json.dumps({"id": "file:/a", "changed": True, "before": {}, "after": {}, "msg": "m" * 1000})
        ran = self.play({
            "honest": answer(["first"]),
            "binary": "\x00\x01\x1b[2J",
            "cut": answer(["first"])[:-1],
            "list": "[1, 2]",
            "deep": deep(900),
            "deeper": deep(100000),
            "number": '{"changed": false, "actions": ["first"], "rc": %s, "items": [{"id": %s}]}' % ("9" * 2000, "9" * 2000),
            "nan": '{"changed": NaN, "actions": ["first"], "reboot_needed": Infinity, "items": [{"id": NaN, "before": {"a": -Infinity}}]}',
            "types": answer(["first"], msg={"a": 1}, stderr=[1], failed_item={}, items={"a": 1}, restarted=5, reloaded="x", rc="zero"),
            "fails": answer(["first"], failed=True, msg=["a", {"b": 2}], failed_item=["x"], stderr={"y": 1}),
            "wide": '{"changed": false, "actions": ["first"], "items": [%s]}' % ",".join([wide] * 20000),
            "skips": answer(["first"], skipped=True, skip_reason="x"),
            "gone": answer(["first"], unreachable=True),
        })

        self.assertEqual(ran["honest"], ["first ours"])
        self.assertEqual(self.events[-1]["hosts"]["honest"]["failures"], 0)
        for event in self.events:
            for name in ("msg", "stderr", "failed_item", "label"):
                self.assertIsInstance(event.get(name, ""), str, event)
            self.assertIsInstance(event.get("rc", 0), int)
            for item in event.get("items", []):
                self.assertIsInstance(item["id"], str)
        self.assertLess(max(map(len, self.lines)), 5 * 1024 * 1024)
        self.assertEqual({event["host"] for event in self.events if event["event"] == "result" and event.get("action") == "contract"}, set(ran))
        for host in ("binary", "cut", "list", "deeper", "fails"):
            self.assertEqual((ran[host], self.failed(host)["status"]), ([], "failed"), host)

    def test_what_a_host_wrote_is_no_template_and_nothing_for_a_terminal(self):
        self.play({"liar": answer([], failed=True, msg="{{ lookup('pipe', 'id') }} \x1b]0;title\x07\x9b2J\u202e end")})

        self.assertEqual(self.failed("liar")["msg"], "{{ lookup('pipe', 'id') }} ?]0;title??2J? end")


class CopiedTest(unittest.TestCase):
    """Which files tasks copy from the controller when a host names missing ones."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        with open(os.path.join(self.folder, "SHA256SUMS"), "w", encoding="utf-8") as stream:
            stream.write("".join("%s  %s\n" % ("0" * 64, name) for name in ("bin/kubeadm", "bin/kubelet", "images/etcd.tar", "images/pause.tar", "bin/../../key", "images/a/b.tar")))

    def loop(self, role, file, task, **variables):
        with open(os.path.join(plugins.REPOSITORY, "ansible-roles", role, "tasks", file), encoding="utf-8") as stream:
            found = next(each for each in yaml.safe_load(stream) if each["name"] == task)
        return plugins.value_of(found["loop"], variables)

    def said(self, *lines):
        return {"stdout_lines": list(lines)}

    def test_archives_are_those_of_the_folder(self):
        wanted = self.said("pause.tar", "../../../../../../etc/shadow", "/etc/shadow", "SHA256SUMS", "key", "b.tar", "")

        self.assertEqual(self.loop("kubernetes_node", "images.yml", "Copy the archives", action_args={"source": self.folder}, kubernetes_node_wanted=wanted), ["pause.tar"])
        self.assertEqual(self.loop("kubernetes_node", "images.yml", "Copy the archives", action_args={"source": "https://mirror.example"},
                                   kubernetes_node_wanted=wanted), [])

    def test_commands_are_those_of_the_folder(self):
        theirs = {"content": base64.b64encode(b"%s  bin/../../../../../../etc/shadow\n" % (b"0" * 64)).decode()}

        self.assertEqual(self.loop("kubernetes_node", "binaries.yml", "Copy the commands", action_args={"source": self.folder}, kubernetes_node_sums=theirs), ["kubeadm", "kubelet"])
        self.assertEqual(self.loop("kubernetes_node", "binaries.yml", "Fetch the commands", action_args={"source": "https://mirror.example"},
                                   kubernetes_node_sums=theirs), [])

    def test_downloads_are_those_of_the_contract(self):
        ours = {"name": "mesos", "source": "/srv/mesos.tar.gz"}

        self.assertEqual(self.loop("mesos_software", "software.yml", "Copy what is on this machine", action_args={"downloads": [ours]},
                                   mesos_software_due=self.said("mesos", "/etc/shadow")), [ours])


if __name__ == "__main__":
    unittest.main()
