"""Who drained the node: deepsite resumes only nodes that it drained, and an administrator's reason stays."""

import os
import unittest

import plugins
import yaml

TASKS = os.path.join(plugins.REPOSITORY, "ansible-roles/slurm_node/tasks")
# The output format of scontrol --oneliner.
NODE = ("NodeName=node-1 Arch=x86_64 CoresPerSocket=1 CPUAlloc=0 Features=(null) NodeAddr=10.0.0.5 OS=Linux 6.1 State=%s ThreadsPerCore=1 "
        "Partitions=main BootTime=2026-01-01T00:00:00 ExtSensorsTemp=n/s%s")


def node(state, reason=None):
    return NODE % (state, " Reason=%s [root@2026-01-02T03:04:05]" % reason if reason else "")


class DrainTest(unittest.TestCase):
    def runs(self, file, task, **variables):
        with open(os.path.join(TASKS, file), encoding="utf-8") as stream:
            found = next(each for each in yaml.safe_load(stream) if each["name"].startswith(task))
        conditions = found["when"] if isinstance(found["when"], list) else [found["when"]]
        return all(plugins.value_of("{{ %s }}" % condition, variables) for condition in conditions)

    def drains(self, told, rc=0):
        return self.runs("in-service_undo.yml", "Drain", slurm_node_known={"rc": rc, "stdout": told})

    def resumes(self, told):
        return self.runs("in-service.yml", "Take", slurm_node_state={"rc": 0, "stdout": told})

    def test_a_node_in_service_is_drained(self):
        self.assertTrue(self.drains(node("IDLE")))
        self.assertTrue(self.drains(node("MIXED+CLOUD")))
        self.assertFalse(self.drains("", rc=1))

    def test_what_an_administrator_drained_or_took_down_stays_as_it_is(self):
        for state, reason in (("IDLE+DRAIN", "disk broken"), ("ALLOCATED+DRAIN", "x"), ("DOWN+DRAIN", "Not responding"), ("DOWN", "fan"), ("DOWN*", "fan"), ("FAIL", "card"),
                              ("IDLE+DRAIN", "after deepsite: memory")):
            self.assertFalse(self.drains(node(state, reason)), (state, reason))
            self.assertFalse(self.resumes(node(state, reason)), (state, reason))

    def test_a_drain_of_ours_is_kept_up_and_taken_back(self):
        ours = node("IDLE+DRAIN", "deepsite: to be restarted or removed")

        self.assertTrue(self.drains(ours))
        self.assertTrue(self.resumes(ours))
        self.assertFalse(self.resumes(node("IDLE")))

    def test_a_node_that_was_only_silent_is_drained(self):
        """It would resume by itself, and get jobs just before its removal."""
        self.assertTrue(self.drains(node("DOWN*", "Not responding")))
        self.assertTrue(self.drains(node("DOWN", "Node unexpectedly rebooted")))


if __name__ == "__main__":
    unittest.main()
