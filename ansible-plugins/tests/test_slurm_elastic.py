"""The program that says which elastic nodes Slurm wants, with a scontrol that shows given lines."""

import os
import re
import stat
import subprocess
import tempfile
import unittest

import plugins

FOLDER = os.path.join(plugins.REPOSITORY, "templates/slurm_elastic/usr/local/sbin")
# Lines as Slurm 22.05.8 and 24.11.5 show them, shortened.
NODE = "NodeName=%s Arch=x86_64 CoresPerSocket=1 State=%s ThreadsPerCore=1 TmpDisk=0 Weight=1000%s"
SCONTROL = """#!/bin/sh
case "$*" in
ping) echo 'Slurmctld(primary) at head is UP' ;;
*' show node '*,*) cat "$NODES" ;;
*' show node '*) grep "^NodeName=${4#*=} " "$NODES" ;;
*' show job '*) echo 'JobId=7 JobState=COMPLETED Reason=None' ;;
esac
"""


class ElasticTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = scratch.name
        os.mkdir(os.path.join(self.folder, "marks"))
        for name in ("deepsite-slurm-elastic", "deepsite-slurm-elastic-verify"):
            with open(os.path.join(FOLDER, name + ".j2"), encoding="utf-8") as stream:
                text = stream.read()
            text = text.replace("{{ slurm_elastic_nodes | join(',') }}", "node-2,node-3").replace("{{ group.name }}", "node")
            text = text.replace("{{ group.nodes | join(' ') }}", "node-2 node-3").replace("{{ group.nodes | length }}", "2")
            text = re.sub("{%.*%}\n", "", text).replace("{{ slurm_elastic_verify_user }}", "verify")
            text = text.replace("/usr/local/sbin", self.folder).replace("/var/lib/deepsite-slurm-elastic", self.folder + "/marks").replace("/run", self.folder)
            self.program(name, text)
        self.program("scontrol", SCONTROL)
        self.program("runuser", "#!/bin/sh\necho 7\n")
        self.program("scancel", "#!/bin/sh\n")
        self.nodes(("node-2", "IDLE+CLOUD+POWERED_DOWN", ""), ("node-3", "IDLE+CLOUD+POWERED_DOWN", ""))

    def program(self, name, text):
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as stream:
            stream.write(text)
        os.chmod(stream.name, stat.S_IRWXU)

    def nodes(self, *lines):
        with open(os.path.join(self.folder, "nodes"), "w", encoding="utf-8") as stream:
            for name, state, reason in lines:
                stream.write(NODE % (name, state, " Reason=%s [slurm@2026-11-26T13:39:47]" % reason if reason else "") + "\n")

    def start(self, *words):
        environment = dict(os.environ, PATH=self.folder + ":" + os.environ["PATH"], NODES=os.path.join(self.folder, "nodes"))
        return subprocess.Popen([os.path.join(self.folder, "deepsite-slurm-elastic"), *words], env=environment, stdout=subprocess.PIPE, text=True)

    def follower(self):
        process = self.start("watch")
        self.addCleanup(lambda: (process.kill(), process.wait(), process.stdout.close()))
        return process

    def said(self):
        return self.follower().stdout.readline().strip()

    def verified(self, *words):
        with self.start("verify", *words) as process:
            lines = process.stdout.read().splitlines()
        return [line.split("\t")[2:4] + line.split("\t")[5:] for line in lines]

    def test_a_node_is_wanted_from_its_power_up_on(self):
        self.nodes(("node-2", "ALLOCATED+CLOUD+NOT_RESPONDING+POWERING_UP", ""), ("node-3", "IDLE+CLOUD+POWERED_DOWN", ""))
        self.assertEqual(self.said(), "wanted=node-2 released= failed=")

    def test_a_node_that_slurm_gave_up_may_be_asked_for_again(self):
        self.nodes(("node-2", "DOWN+CLOUD+POWERED_DOWN+NOT_RESPONDING", "ResumeTimeout reached"), ("node-3", "DOWN+CLOUD+POWERED_DOWN", "broken"))
        self.assertEqual(self.said(), "wanted= released= failed=node-2")

    def test_a_dead_machine_stays_until_slurm_gives_it_back(self):
        self.nodes(("node-2", "DOWN+CLOUD+NOT_RESPONDING", "Not responding"), ("node-3", "IDLE+CLOUD+POWERED_DOWN", ""))
        self.assertEqual(self.said(), "wanted=node-2 released= failed=")

    def test_nobody_follows(self):
        self.assertEqual([line[0] for line in self.verified()], ["busy"])
        self.assertEqual([line[0] for line in self.verified("make")], ["failed"])

    def test_somebody_follows(self):
        self.nodes(("node-2", "IDLE+CLOUD", ""), ("node-3", "IDLE+CLOUD+POWERED_DOWN", ""))
        self.said()
        self.assertEqual(self.verified(), [["passed", "-", "node: deepsite follows; 1 of 2 nodes are up"]])

    def test_a_job_runs_on_a_node_that_has_no_machine(self):
        self.nodes(("node-2", "IDLE+CLOUD", ""), ("node-3", "IDLE+CLOUD+POWERED_DOWN", ""))
        self.said()
        self.assertEqual(self.verified("make"), [["passed", "node-3", "node: the machine was made and ran a job"]])

    def test_a_cluster_at_its_most_is_busy(self):
        self.nodes(("node-2", "IDLE+CLOUD", ""), ("node-3", "MIXED+CLOUD", ""))
        self.said()
        self.assertEqual(self.verified("make"), [["busy", "-", "node: none of its nodes is free to be made: 1 IDLE+CLOUD, 1 MIXED+CLOUD"]])

    def test_a_full_back_end_is_busy_and_a_machine_that_cannot_be_configured_a_fault(self):
        self.nodes(("node-2", "DOWN+CLOUD", "deepsite-elastic: There is no room."), ("node-3", "MIXED+CLOUD", ""))
        self.said()
        self.assertEqual(self.verified("make"), [["busy", "node-2", "There is no room."]])
        self.nodes(("node-2", "DOWN+CLOUD", "deepsite-elastic: It could not be configured: apt"), ("node-3", "MIXED+CLOUD", ""))
        self.assertEqual(self.verified("make"), [["failed", "node-2", "It could not be configured: apt"]])


if __name__ == "__main__":
    unittest.main()
