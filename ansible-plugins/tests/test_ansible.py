"""The action plugin and the event stream inside the real ansible-playbook; the module echoes its arguments."""

import base64
import io
import json
import os
import shutil
import subprocess
import tarfile
import tempfile
import unittest

import plugins

ECHO = """#!/usr/bin/python3
import json
from ansible.module_utils.basic import AnsibleModule
module = AnsibleModule({"contract": {"type": "dict"}, "phase": {}, "archive": {"no_log": False}, "state": {}, "remove_packages": {}}, supports_check_mode=True)
given = {name: value for name, value in module.params.items() if value is not None}
module.exit_json(changed=True, module_stdout=json.dumps(given), invocation={}, items=[{"id": "file:/a", "changed": True, "before": {}, "after": {}, "msg": ""}],
                 actions=["join"])
"""
PLAY = """
- name: Play
  hosts: here
  gather_facts: false
  tasks:
    - {name: Hold, contract: {role: motd, phase: before}, register: held}
    - {name: Keep, ansible.builtin.copy: {content: "{{ held | to_json }}", dest: "{{ playbook_dir }}/held.json", mode: "0600"}}
    - {name: Rest, contract: {role: quiet, phase: after}}
    - {name: Loop, ansible.builtin.command: "test {{ item }} = a", loop: [a, b], changed_when: false, ignore_errors: true}
    - {name: Hide, ansible.builtin.debug: {msg: hidden-value}, no_log: true}
    - {name: Skip, ansible.builtin.debug: {msg: x}, when: false}
    - {name: Miss, contract: {role: none, phase: before}, ignore_errors: true}
    - {name: Stop, ansible.builtin.fail: {msg: enough}}
"""
CONTRACT = {
    "role": "motd", "items": [
        {"id": "file:/a", "type": "file", "phase": "before", "source": "a"},
        {"id": "file:/b", "type": "file", "phase": "before", "source": "sub/b", "secret": True},
        {"id": "mount:/home", "type": "mount", "phase": "before", "source": "server:/home"},
    ],
    "actions": [{"id": "join", "does": "joins", "blast": "nothing", "run": "join.yml", "with": {"token": "not for the log"}}],
}

ALONE = """
- name: alone
  hosts: here
  gather_facts: false
  tasks:
    - {name: Works, ansible.builtin.command: "true"}
    - {name: Is stopped, ansible.builtin.command: touch -d -41seconds alive}
    - {name: Changes something, ansible.builtin.command: "true"}
"""


class AnsibleTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.bundle = tempfile.mkdtemp()
        cls.addClassCleanup(shutil.rmtree, cls.bundle)
        cls.write("library/contract.py", ECHO)
        cls.write("site.yml", PLAY)
        cls.write("contracts/here/motd.json", json.dumps(CONTRACT))
        cls.write("contracts/here/quiet.json", json.dumps(dict(CONTRACT, role="quiet", actions=[])))
        cls.write("files/here/a", "plain")
        cls.write("files/here/sub/b", "secret-body")
        cls.write("key", "test-only")
        cls.write("inventory", "here ansible_connection=local ansible_python_interpreter=/usr/bin/python3\n")
        cls.write("ansible.cfg", "[defaults]\ninventory = inventory\nlibrary = library\nvault_password_file = key\naction_plugins = %s/action\n"
                                 "callback_plugins = %s/callback\nlocal_tmp = %s/tmp\nremote_tmp = %s/tmp\n" % (plugins.PLUGINS, plugins.PLUGINS, cls.bundle, cls.bundle))
        cls.run_tool("ansible-vault", "encrypt", "files/here/sub/b")
        cls.rc, cls.log = cls.run_tool("ansible-playbook", "site.yml", DEEPSITE_EVENTS=os.path.join(cls.bundle, "events"))
        with open(os.path.join(cls.bundle, "events"), encoding="utf-8") as stream:
            cls.raw = stream.read()
        cls.events = [json.loads(line) for line in cls.raw.splitlines()]

    @classmethod
    def write(cls, name, text):
        path = os.path.join(cls.bundle, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as stream:
            stream.write(text)

    @classmethod
    def run_tool(cls, tool, *words, **environment):
        """With Debian's own Python: PATH may have another one first."""
        done = subprocess.run(["/usr/bin/python3", "/usr/bin/" + tool, *words], cwd=cls.bundle, env=dict(os.environ, **environment),
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        return done.returncode, done.stdout.decode()

    def result(self, task):
        return next(event for event in self.events if event["event"] == "result" and event["task"] == task)

    def test_begins_no_further_task_once_its_deepsite_shows_no_life(self):
        self.write("alive", "")
        self.write("alone.yml", ALONE)
        code, log = self.run_tool("ansible-playbook", "alone.yml", DEEPSITE_EVENTS=os.path.join(self.bundle, "alone"),
                                  DEEPSITE_ALIVE=os.path.join(self.bundle, "alive"), DEEPSITE_ALIVE_SECONDS="40")
        with open(os.path.join(self.bundle, "alone"), encoding="utf-8") as stream:
            done = [event["task"] for event in map(json.loads, stream) if event["event"] == "result"]
        self.assertNotEqual(code, 0)
        self.assertEqual(done, ["Works", "Is stopped"])
        self.assertIn("does not work any more", log)

    def test_packs_plain_and_decrypted_bodies(self):
        with open(os.path.join(self.bundle, "held.json"), encoding="utf-8") as stream:
            given = json.loads(json.load(stream)["module_stdout"])
        with tarfile.open(fileobj=io.BytesIO(base64.b64decode(given["archive"]))) as tar:
            bodies = {member.name: tar.extractfile(member).read() for member in tar}
        self.assertEqual(bodies, {"a": b"plain", "sub/b": b"secret-body"})
        self.assertEqual(given["contract"], CONTRACT)

    def test_does_not_go_to_the_host_when_the_second_phase_has_nothing_to_do(self):
        self.assertEqual((self.result("Rest")["status"], self.result("Rest")["items"]), ("ok", []))

    def test_names_a_contract_that_the_bundle_lacks(self):
        self.assertIn("the bundle has no contract of role none for here", self.result("Miss")["msg"])

    def test_tells_items_and_due_actions_without_their_arguments(self):
        held = self.result("Hold")
        self.assertEqual((held["status"], held["host"], held["items"][0]["id"]), ("changed", "here", "file:/a"))
        self.assertEqual(held["actions"], [{"id": "join", "does": "joins", "blast": "nothing"}])
        self.assertNotIn("not for the log", self.raw)

    def test_tells_each_turn_of_a_loop(self):
        loop = self.result("Loop")
        self.assertEqual((loop["status"], loop["ignored"]), ("failed", True))
        self.assertEqual([(turn["label"], turn["status"]) for turn in loop["loop"]], [("a", "ok"), ("b", "failed")])

    def test_hides_what_is_not_for_the_log(self):
        self.assertTrue(self.result("Hide")["censored"])
        self.assertNotIn("hidden-value", self.raw)
        self.assertNotIn("secret-body", self.raw + self.log)

    def test_tells_skipped_and_failed(self):
        self.assertEqual(self.result("Skip")["status"], "skipped")
        self.assertEqual((self.result("Stop")["status"], self.result("Stop")["msg"]), ("failed", "enough"))
        self.assertNotEqual(self.rc, 0)

    def test_ends_with_the_counts_of_every_host(self):
        self.assertEqual(self.events[-1]["event"], "stats")
        self.assertEqual(self.events[-1]["hosts"]["here"]["failures"], 1)
        self.assertEqual(self.events[0]["event"], "play")

    def test_is_silent_without_the_variable(self):
        os.rename(os.path.join(self.bundle, "events"), os.path.join(self.bundle, "seen"))
        rc, log = self.run_tool("ansible", "here", "-m", "ping", ANSIBLE_LOAD_CALLBACK_PLUGINS="1")
        self.assertEqual(rc, 0, log)
        self.assertFalse(os.path.exists(os.path.join(self.bundle, "events")))


if __name__ == "__main__":
    unittest.main()
