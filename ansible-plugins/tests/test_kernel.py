"""Kernel arguments: one that GRUB has not processed does not count as configured."""

import os
import tempfile
import unittest

from plugins import FakeMachine
from ansible.module_utils.deepsite import kernel
from ansible.module_utils.deepsite.host import Answer, ItemFailed
from ansible.module_utils.deepsite.kind import Change

ITEM = {"id": "kernel:argument:check=1", "type": "kernel", "what": "argument", "name": "check=1"}
LINE = 'GRUB_CMDLINE_LINUX="$GRUB_CMDLINE_LINUX check=1"\n'


class KernelArgumentTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        grub = kernel.GRUB_FOLDER
        kernel.GRUB_FOLDER = folder.name
        self.addCleanup(setattr, kernel, "GRUB_FOLDER", grub)
        self.machine = FakeMachine()
        self.machine.container = lambda: None
        self.machine.answers = {("update-grub", "--version"): Answer(0, "", ""), ("update-grub",): Answer(0, "", "")}

    def kind(self):
        return kernel.KernelKind(self.machine, None)

    def apply(self):
        kind = self.kind()
        seen = kind.look(ITEM)
        change = Change(ITEM, seen, kind.wanted(ITEM, seen, None))
        if change.differing:
            kind.apply_all([change], [{}])
        return bool(change.differing)

    def leave(self):
        return self.kind().leave_all([ITEM], [{"present": False, "configured": False}])

    def text(self):
        with open(os.path.join(self.folder, "60-deepsite-check_1.cfg"), encoding="utf-8") as stream:
            return stream.read()

    def test_an_argument_is_configured_once_grub_has_it(self):
        self.assertTrue(self.apply())
        self.assertEqual(self.text(), LINE)
        self.assertFalse(self.apply())

        self.assertEqual(list(self.leave()), [ITEM["id"]])
        self.assertEqual(os.listdir(self.folder), [])
        self.assertEqual(self.leave(), {})

    def test_grub_is_asked_again_after_it_failed(self):
        self.machine.answers[("update-grub",)] = Answer(1, "", "killed")
        with self.assertRaises(ItemFailed):
            self.apply()
        self.assertFalse(self.kind().look(ITEM)["configured"])

        self.machine.answers[("update-grub",)] = Answer(0, "", "")
        self.assertTrue(self.apply())
        self.assertEqual(self.text(), LINE)

    def test_leaving_asks_again_too(self):
        self.apply()
        self.machine.answers[("update-grub",)] = Answer(1, "", "killed")
        with self.assertRaises(ItemFailed):
            self.leave()
        self.assertNotIn("check=1", self.text())

        self.machine.answers[("update-grub",)] = Answer(0, "", "")
        self.assertEqual(list(self.leave()), [ITEM["id"]])
        self.assertEqual(os.listdir(self.folder), [])


if __name__ == "__main__":
    unittest.main()
