"""The probe that compares slurm.conf with what the running slurmctld shows."""

import os
import subprocess
import tempfile
import unittest

import plugins

PROBE = os.path.join(plugins.REPOSITORY, "templates/slurm_controller/usr/local/sbin/deepsite-slurm-running-config.j2")
# A slurmctld without nodes and partitions.
SCONTROL = """#!/bin/sh
case "$*" in
*config) printf 'TaskPlugin              = %s\\nReturnToService         = 2\\n' ;;
esac
"""


class RunningConfigTest(unittest.TestCase):
    def differs(self, running, file):
        with tempfile.TemporaryDirectory() as folder:
            with open(PROBE, encoding="utf-8") as stream:
                lines = [line for line in stream if not line.startswith("{%")]
                script = "".join(lines).replace("/etc/slurm/slurm.conf", os.path.join(folder, "slurm.conf"))
            with open(os.path.join(folder, "slurm.conf"), "w", encoding="utf-8") as stream:
                stream.write("TaskPlugin=%s\nReturnToService=2\n" % file)
            with open(os.path.join(folder, "scontrol"), "w", encoding="utf-8") as stream:
                stream.write(SCONTROL % running)
            os.chmod(os.path.join(folder, "scontrol"), 0o755)
            path = folder + ":" + os.environ["PATH"]
            return subprocess.run(["sh", "-c", script], env={"PATH": path}, stdout=subprocess.PIPE, check=True, universal_newlines=True).stdout

    def test_no_task_plugin_is_the_same_in_both_releases(self):
        self.assertEqual(self.differs("task/none", "task/none"), "")
        self.assertEqual(self.differs("(null)", "task/none"), "")

    def test_a_task_plugin_that_is_not_in_use_differs(self):
        self.assertEqual(self.differs("(null)", "task/affinity"), "TaskPlugin is task/none, the file says task/affinity\n")
        self.assertEqual(self.differs("task/affinity", "task/none"), "TaskPlugin is task/affinity, the file says task/none\n")


if __name__ == "__main__":
    unittest.main()
