"""The ini editor: only the option changes, and undoing restores every byte."""

import os
import random
import tempfile
import unittest

import plugins  # noqa: F401 (makes deepsite importable)
from ansible.module_utils.deepsite.host import Host, ItemFailed
from ansible.module_utils.deepsite.ini import IniKind, IniText

NOVA = b"""# top
[DEFAULT]
# a comment
debug = false
#my_ip = <host>
my_ip=10.0.0.1

[pci]
alias = { "name": "a" }
alias = { "name": "b" }

[empty]
"""


def edited(data, section, option, *values):
    text = IniText(data)
    text.set(section, option, values)
    return text.data()


class IniTextTest(unittest.TestCase):
    def test_replaces_only_the_value(self):
        self.assertEqual(edited(NOVA, "DEFAULT", "my_ip", "10.0.0.2"), NOVA.replace(b"my_ip=10.0.0.1", b"my_ip=10.0.0.2"))

    def test_reads_every_value_of_a_repeated_option(self):
        self.assertEqual(IniText(NOVA).values("pci", "alias"), ['{ "name": "a" }', '{ "name": "b" }'])

    def test_adds_a_further_value_below_the_last_one(self):
        self.assertEqual(edited(NOVA, "pci", "alias", '{ "name": "a" }', '{ "name": "b" }', "c"),
                         NOVA.replace(b'"b" }\n', b'"b" }\nalias = c\n'))

    def test_drops_a_value_too_many(self):
        self.assertEqual(edited(NOVA, "pci", "alias", '{ "name": "b" }'),
                         NOVA.replace(b'alias = { "name": "a" }\nalias = { "name": "b" }\n', b'alias = { "name": "b" }\n'))

    def test_puts_a_new_option_below_its_commented_sample(self):
        data = b"[DEFAULT]\n#host = <none>\n# more\nx = 1\n"
        self.assertEqual(edited(data, "DEFAULT", "host", "a"), b"[DEFAULT]\n#host = <none>\nhost = a\n# more\nx = 1\n")

    def test_puts_a_new_option_below_the_last_one_of_its_section(self):
        self.assertEqual(edited(NOVA, "DEFAULT", "new", "1"), NOVA.replace(b"10.0.0.1\n", b"10.0.0.1\nnew = 1\n"))

    def test_fills_an_empty_section_and_an_empty_file(self):
        self.assertEqual(edited(NOVA, "empty", "a", "1"), NOVA + b"a = 1\n")
        self.assertEqual(edited(b"", "lxd", "pool", "nova"), b"[lxd]\npool = nova\n")

    def test_adds_a_section_at_the_end_of_a_file_without_a_last_newline(self):
        self.assertEqual(edited(b"[a]\nx = 1", "b", "y", "2"), b"[a]\nx = 1\n\n[b]\ny = 2\n")

    def test_removes_an_option_with_its_continued_lines(self):
        self.assertEqual(edited(b"[a]\nx = 1\n  2\n\ty\nz = 3\n", "a", "x"), b"[a]\nz = 3\n")

    def test_handles_options_before_the_first_section(self):
        self.assertEqual(edited(b"a=1\n[s]\na=2\n", "", "a", "9"), b"a=9\n[s]\na=2\n")

    def test_keeps_carriage_returns_and_foreign_bytes(self):
        data = b"[a]\r\nx = 1\r\ny = \xe9\x85\x0b\r\n"
        self.assertEqual(edited(data, "a", "x", "2"), data.replace(b"x = 1", b"x = 2"))
        self.assertEqual(edited(data, "a", "z", "3"), data + b"z = 3\r\n")

    def test_a_section_that_stands_twice_is_one(self):
        data = b"[a]\nx = 1\n[b]\n[a]\nx = 2\n"
        self.assertEqual(IniText(data).values("a", "x"), ["1", "2"])
        self.assertEqual(edited(data, "a", "x", "1"), b"[a]\nx = 1\n[b]\n[a]\n")

    def test_undoes_any_edit_of_random_files(self):
        seed = random.randrange(2 ** 32)
        dice = random.Random(seed)
        for _ in range(300):
            lines = [dice.choice([b"[a]", b"[b]", b"x = 1", b"x=2", b"y: 3", b"  more", b"# x = 0", b"#x=0", b"", b"  z = 1", b"junk"]) for _ in range(dice.randrange(12))]
            data = b"".join(line + b"\n" for line in lines)
            section, option = dice.choice(["a", "b", "c"]), dice.choice(["x", "y", "z"])
            before = IniText(data)
            values = [str(dice.randrange(5)) for _ in range(dice.randrange(1, 4))]

            text = IniText(data)
            text.set(section, option, values)

            self.assertEqual(text.values(section, option), values, "seed %d" % seed)
            others = {(o.section, o.name) for o in before.options} - {(section, option)}
            for key in others:
                self.assertEqual(text.values(*key), before.values(*key), "seed %d" % seed)
            if not before.values(section, option):
                text.set(section, option, [])
                if not before.has_section(section):
                    text.drop_empty_section(section)
                self.assertEqual(text.data(), data, "seed %d" % seed)


class IniItemTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = os.path.join(self.folder.name, "nova.conf")
        self.kind = IniKind(Host(), None)

    def item(self, **members):
        return dict({"id": "ini:x", "type": "ini", "path": self.path, "section": "lxd", "option": "pool"}, **members)

    def test_leaving_puts_back_the_values_found_first(self):
        data = b"[lxd]\npool = default\n"
        self.write(data)
        item = self.item(value="nova")
        before = self.kind.remember(item, self.kind.look(item))
        self.kind.set(item, ["nova"])

        self.kind.leave(item, before)

        self.assertEqual(self.read(), data)

    def test_leaving_removes_section_and_file_that_came_with_us(self):
        item = self.item(value="nova")
        before = self.kind.remember(item, self.kind.look(item))
        self.kind.set(item, ["nova"])

        self.kind.leave(item, before)

        self.assertFalse(os.path.exists(self.path))

    def test_an_absent_option_wants_no_values(self):
        self.assertEqual(self.kind.wanted(self.item(absent=True), {}, None), {"values": []})

    def test_refuses_a_value_of_two_lines(self):
        with self.assertRaises(ItemFailed):
            self.kind.wanted(self.item(value="a\n[b]"), {}, None)

    def test_writes_booleans_in_lower_case(self):
        self.assertEqual(self.kind.wanted(self.item(value=True), {}, None), {"values": ["true"]})

    def write(self, data):
        with open(self.path, "wb") as stream:
            stream.write(data)

    def read(self):
        with open(self.path, "rb") as stream:
            return stream.read()


if __name__ == "__main__":
    unittest.main()
