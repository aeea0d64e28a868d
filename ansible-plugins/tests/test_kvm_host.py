"""The action of opennebula_kvm_host that makes udev apply a changed rule to existing devices, with a udevadm that records its arguments."""

import os
import subprocess
import tempfile
import unittest

import plugins

UDEVADM = """#!/bin/sh
echo "$*" >>"%s"
"""
PLAY = """
- hosts: here
  gather_facts: false
  vars: {action_args: {subsystem: vfio}}
  tasks: [{ansible.builtin.include_tasks: %s}]
"""


class DevicesTest(unittest.TestCase):
    def test_the_rules_are_read_again_and_applied_to_the_devices_concerned(self):
        with tempfile.TemporaryDirectory() as folder:
            told = os.path.join(folder, "told")
            self.write(folder, "udevadm", UDEVADM % told)
            os.chmod(os.path.join(folder, "udevadm"), 0o755)
            self.write(folder, "site.yml", PLAY % os.path.join(plugins.REPOSITORY, "ansible-roles/opennebula_kvm_host/tasks/devices.yml"))
            self.write(folder, "inventory", "here ansible_connection=local ansible_python_interpreter=/usr/bin/python3\n")
            done = subprocess.run(["/usr/bin/python3", "/usr/bin/ansible-playbook", "-i", "inventory", "site.yml"], cwd=folder,
                                  env=dict(os.environ, PATH=folder + ":" + os.environ["PATH"], ANSIBLE_LOCAL_TEMP=folder, ANSIBLE_REMOTE_TEMP=folder),
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
            self.assertEqual(done.returncode, 0, done.stdout.decode())
            with open(told, encoding="utf-8") as stream:
                self.assertEqual(stream.read().splitlines(), ["control --reload", "trigger --action=change --subsystem-match=vfio", "settle --timeout=60"])

    @staticmethod
    def write(folder, name, text):
        with open(os.path.join(folder, name), "w", encoding="utf-8") as stream:
            stream.write(text)


if __name__ == "__main__":
    unittest.main()
