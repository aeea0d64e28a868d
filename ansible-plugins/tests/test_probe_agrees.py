"""The probe script and the module see the same state, so that plan, drift and apply agree."""

import json
import os
import random
import shlex
import subprocess
import tempfile
import unittest

import plugins
from ansible.module_utils.deepsite import host as hosts
from ansible.module_utils.deepsite.accounts import UserKind
from ansible.module_utils.deepsite.host import Host
from ansible.module_utils.deepsite.ini import IniText
from ansible.module_utils.deepsite.kernel import KernelKind
from ansible.module_utils.deepsite.lines import LineKind
from ansible.module_utils.deepsite.mounts import MountKind
from ansible.module_utils.deepsite.packages import PackageKind
from ansible.module_utils.deepsite.probes import ProbeKind

LIBRARY = os.path.join(plugins.REPOSITORY, "engine/src/main/resources/io/deepsite/remote/probe.sh")
SHELL = "dash" if os.path.exists("/usr/bin/dash") else "sh"


def probe(*calls, shell=(SHELL,)):
    """Answers of the probe script, in the order of the calls: the state seen, or {"unknown": …}."""
    lines = ["%s %d %s" % (call[0], number, " ".join(shlex.quote(word) for word in call[1:])) for number, call in enumerate(calls, 1)]
    with open(LIBRARY, encoding="utf-8") as stream:
        script = stream.read() + "\nprobe_all() {\nprobe_begin nonce\n" + "\n".join(lines) + "\nprobe_end\n}\nprobe_all </dev/null\n"
    done = subprocess.run(list(shell) + ["-s"], input=script.encode(), stdout=subprocess.PIPE, check=True)
    answer = done.stdout.decode("utf-8", "replace").split("\n")
    assert answer[0] == "deepsite-probe 1 nonce", answer
    assert answer[-2:] == ["deepsite-probe end %d" % len(calls), ""], answer
    by_number = {each["n"]: each.get("seen", each) for each in map(json.loads, answer[1:-2])}
    return [by_number[number] for number in range(1, len(calls) + 1)]


class ProbeTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name, data=None):
        path = os.path.join(self.folder, name)
        if data is not None:
            with open(path, "wb") as stream:
                stream.write(data)
        return path

    def test_paths(self):
        paths = [self.path("plain", b"x"), self.path('we ird"\\q\'', b""), self.path("ü", b"\0"), self.path("none"), self.folder, "/dev/null"]
        os.symlink('to "nowhere', self.path("link"))
        os.symlink("plain", self.path("second"))
        os.mkfifo(self.path("pipe"))
        with open(self.path("endless"), "wb") as stream:
            stream.truncate(2 ** 40)
        paths += [self.path("endless"), self.path("link"), self.path("second"), self.path("pipe")]
        os.chmod(paths[0], 0o4755)

        for path, seen in zip(paths, probe(*[("probe_file", path) for path in paths])):
            seen.pop("size", None)
            self.assertEqual(seen, hosts.look_at(path), path)

    def test_ini_values_of_random_files(self):
        seed = random.randrange(2 ** 32)
        dice = random.Random(seed)
        kinds = [b"[a]", b" [ b ]", b"[a] # c", b"x = 1", b"x=2\t", b"y: 3=4", b"  more", b"\tx = 5", b"# x = 0", b";x=0", b"", b"  ", b"junk",
                 b"x =", b'x = "q\\"', b"[", b"x = \xc3\xbc", b"x = 1\r"]
        calls, wanted = [], []
        for number in range(60):
            data = b"".join(dice.choice(kinds) + b"\n" for _ in range(dice.randrange(14)))
            path = self.path(str(number), data)
            for section in ("", "a", "b"):
                calls.append(("probe_ini", path, section, "x"))
                wanted.append([value.encode("latin-1").decode("utf-8", "replace") for value in IniText(data).values(section, "x")])

        for call, values, seen in zip(calls, wanted, probe(*calls)):
            self.assertEqual(seen["values"], values, "seed %d, %s" % (seed, call))
            self.assertEqual(seen["present"], bool(values))

    def test_line_blocks(self):
        hosts = b"a\n# BEGIN deepsite line:/etc/hosts:etc_hosts\n1 x\n2 y\n# END deepsite line:/etc/hosts:etc_hosts\nb\n"
        item = {"id": "line:/etc/hosts:etc_hosts", "path": self.path("hosts", hosts), "block": "1 x\n2 y"}
        module = LineKind(Host(), None)

        seen, other, none = probe(("probe_line", item["path"], item["id"]), ("probe_line", item["path"], "line:x"), ("probe_line", self.path("none"), "line:x"))

        self.assertEqual(seen, module.look(item))
        self.assertEqual(seen["sha256"], module.wanted(item, seen, None)["sha256"])
        self.assertFalse(other["present"])
        self.assertFalse(none["exists"])

    def test_packages(self):
        names = ["dpkg", "libc6:" + subprocess.run(["dpkg", "--print-architecture"], stdout=subprocess.PIPE, check=True).stdout.decode().strip(),
                 "no-such-package-anywhere"]
        module = PackageKind(Host(), None).look_all([{"name": name} for name in names])

        for seen, found in zip(probe(*[("probe_package", name) for name in names]), module):
            self.assertEqual((seen["installed"], seen.get("version"), seen["held"]), (found["installed"], found.get("version"), found["held"]))

    @unittest.skipUnless(os.getuid() == 0, "only root sees whether an account is locked")
    def test_users(self):
        for name in ("root", "daemon", "no-such-user"):
            seen, = probe(("probe_user", name))
            found = UserKind(Host(), None).look({"name": name})
            if found["exists"]:
                found["groups"] = sorted(found["groups"])
                seen["groups"] = sorted(seen["groups"])
            else:
                found = {"exists": False}
            self.assertEqual({member: seen[member] for member in found}, found)

    def test_mounts_and_kernel(self):
        mount = MountKind(Host(), None)
        kernel = KernelKind(Host(), None)
        items = [{"id": "k", "what": "sysctl", "name": "kernel.ostype", "value": "Linux"}, {"id": "k", "what": "sysctl", "name": "kernel.nothing", "value": "1"},
                 {"id": "k", "what": "module", "name": "no-such-module"}, {"id": "k", "what": "argument", "name": "no-such-argument", "value": "1"}]

        proc, nothing = probe(("probe_mount", "/proc"), ("probe_mount", self.folder))
        seen = probe(*[("probe_kernel", item["what"], item["name"]) + ((item["value"],) if "value" in item else ()) for item in items])

        found = mount.look({"path": "/proc"})
        self.assertEqual((proc["mounted"], proc["source"]), (found["mounted"], found["source"]))
        self.assertEqual(nothing, {"mounted": False, "fstab": None})
        for item, each in zip(items, seen):
            self.assertEqual(each, kernel.look(item))

    def test_commands(self):
        runs = [["sh", "-c", 'printf "a \\"b\\"\\n\\tc\\001\\n\\n"; exit 3'], ["no-such-command"], ["cat"], ["echo", "a b", "$(id)", "'"]]
        module = ProbeKind(Host(), None)

        for run, seen in zip(runs, probe(*[("probe_probe",) + tuple(run) for run in runs])):
            found = module.look({"run": run})
            self.assertEqual((seen["rc"], seen["stdout"].strip()), (found["rc"], found["stdout"]), run)

    def test_long_output_is_cut_and_does_not_hang(self):
        seen, = probe(("probe_probe", "sh", "-c", "head -c 10000000 /dev/zero | tr '\\0' x"))
        self.assertEqual(seen["stdout"], "x" * 4096)

    def test_done_tells_the_code(self):
        self.assertEqual(probe(("probe_done", "true"), ("probe_done", "sh", "-c", "cat; exit 4"), ("probe_done", "no-such-command")), [{"rc": 0}, {"rc": 4}, {"rc": 127}])

    def test_fetches_small_files_only(self):
        small, large, none, folder = probe(("probe_fetch", self.path("small", b"a\0\xff")), ("probe_fetch", self.path("large", b"x" * (1 << 20) + b"x")),
                                           ("probe_fetch", self.path("none")), ("probe_fetch", self.folder))
        self.assertEqual(small, {"exists": True, "size": 3, "base64": "YQD/"})
        self.assertEqual(large, {"exists": True, "size": (1 << 20) + 1, "too_large": True})
        self.assertEqual(none, {"exists": False})
        self.assertIn("unknown", folder)

    @unittest.skipUnless(os.getuid() == 0, "becomes another user")
    def test_what_cannot_be_seen_is_unknown_and_never_absent(self):
        os.chmod(self.folder, 0o755)
        os.mkdir(self.path("closed"), 0o700)
        hidden = self.path("closed/file", b"x")
        unreadable = self.path("unreadable", b"[a]\nx = 1\n")
        os.chmod(unreadable, 0o600)

        answers = probe(("probe_file", hidden), ("probe_file", unreadable), ("probe_ini", unreadable, "a", "x"), ("probe_ini", hidden, "a", "x"),
                        ("probe_user", "root"), ("probe_fetch", unreadable), shell=("runuser", "-u", "nobody", "--", SHELL))

        self.assertEqual([sorted(answer) for answer in answers], [["n", "unknown"]] * len(answers))

    def test_facts(self):
        facts, = probe(("probe_facts",))
        self.assertEqual(facts["hostname"], os.uname().nodename)
        self.assertEqual(facts["uid"], os.getuid())
        self.assertGreater(facts["memory_mib"], 0)
        self.assertTrue(facts["os"]["id"])


if __name__ == "__main__":
    unittest.main()
