"""deepsite-opennebula, the tool of the front-end's role, with the stand-in for oned."""
import contextlib
import hashlib
import importlib.machinery
import importlib.util
import io
import json
import os
import pathlib
import tempfile
import threading
import unittest

HERE = pathlib.Path(__file__).resolve().parent
TOOL = HERE.parent.parent / "templates/opennebula_frontend/usr/local/sbin/deepsite-opennebula.j2"
RESTRICTED = "".join('VM_RESTRICTED_ATTR = "PCI/%s"\n' % name for name in ("VENDOR", "DEVICE", "CLASS", "SHORT_ADDRESS"))
SHIPPED = 'VM_RESTRICTED_ATTR = "PCI"\n'


def module(name, path):
    spec = importlib.util.spec_from_loader(name, importlib.machinery.SourceFileLoader(name, str(path)))
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


def objects(**changed):
    wanted = {
        "hosts": [{"name": "kvm-1", "attributes": {}}],
        "datastores": [],
        "networks": [{"name": "private", "attributes": {"VN_MAD": "bridge", "BRIDGE": "br0", "AR": [{"TYPE": "IP4", "IP": "10.80.0.100", "SIZE": "10"}]}}],
        "images": [{"name": "debian", "attributes": {"PATH": "/var/tmp/debian.qcow2", "TYPE": "OS"}}],
        "users": [{"name": "alice", "attributes": {}}, {"name": "deepsite-verify", "attributes": {}}],
        "templates": [{"name": "small", "attributes": {"CPU": "1", "DISK": [{"IMAGE": "debian"}]}}],
    }
    wanted.update(changed)
    return wanted


class ToolTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "one_auth").write_text("oneadmin:secret of the site\n")
        (self.folder / "accounts").write_text("alice:one\ndeepsite-verify:two\n")
        self.environment(ONE_AUTH="one_auth", STAND_IN_STATE="state.json", STAND_IN_CONF="oned.conf", STAND_IN_DEVICES="devices.json",
                         DEEPSITE_ONE_FOLDER=".", DEEPSITE_ONE_SYNCED="synced")
        self.serve(SHIPPED + RESTRICTED)

    def environment(self, **files):
        for name, file in files.items():
            os.environ[name] = str(self.folder / file)

    def serve(self, conf):
        (self.folder / "oned.conf").write_text(conf)
        stand_in = module("stand_in", HERE / "oned")
        server = stand_in.serve(0)
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        os.environ["ONE_XMLRPC"] = "http://127.0.0.1:%d/RPC2" % server.server_address[1]
        self.oned = server.instance
        self.tool = module("tool", TOOL)

    def write(self, wanted):
        text = json.dumps(wanted)
        (self.folder / "objects.json").write_text(text)
        return hashlib.sha256(text.encode()).hexdigest()

    def run_tool(self, *argv):
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = self.tool.main(list(argv))
        return code, out.getvalue(), err.getvalue()

    def done(self, *argv):
        code, out, err = self.run_tool(*argv)
        self.assertEqual(0, code, out + err)
        return out

    def test_makes_what_is_missing_and_then_nothing(self):
        digest = self.write(objects())

        self.assertEqual(1, self.run_tool("check", digest)[0])
        self.done("apply")

        self.done("check", digest)
        before = json.dumps(self.oned.state, sort_keys=True)
        self.done("apply")
        self.assertEqual(before, json.dumps(self.oned.state, sort_keys=True))

    def test_an_older_file_is_none(self):
        self.write(objects())

        self.assertIn("another site.yaml", self.run_tool("check", "0" * 64)[1])

    def test_accounts_are_ordinary_ones(self):
        self.write(objects())
        self.done("apply")

        groups = {user["name"]: user["group"] for user in self.oned.of("user").values()}
        self.assertEqual({"oneadmin": 0, "alice": 1, "deepsite-verify": 1}, groups)

    def test_a_changed_password_reaches_oned(self):
        digest = self.write(objects())
        self.done("apply")
        (self.folder / "accounts").write_text("alice:other\ndeepsite-verify:two\n")

        self.assertIn("alice has another password", self.run_tool("check", digest)[1])
        self.done("apply")
        self.done("check", digest)

    def test_a_template_changes_and_goes(self):
        self.write(objects())
        self.done("apply")
        digest = self.write(objects(templates=[{"name": "large", "attributes": {"CPU": "8"}}]))

        self.assertIn("template small is to be removed", self.run_tool("check", digest)[1])
        self.done("apply")
        self.done("check", digest)
        self.assertEqual(["large"], [each["name"] for each in self.oned.of("template").values()])

    def test_what_somebody_else_made_stays(self):
        oneadmin = next(iter(self.oned.of("user").values()))
        self.oned.template_allocate(oneadmin, 'NAME = "small"\nCPU = "2"\n')
        self.write(objects())

        code, _, err = self.run_tool("apply")

        self.assertEqual(1, code)
        self.assertTrue(err.startswith("FAULT\tDS3209\t"), err)
        self.assertEqual([["CPU", "2"]], [list(pair) for pair in next(iter(self.oned.of("template").values()))["attributes"]])

    def test_a_network_that_stands_is_not_changed(self):
        self.write(objects())
        self.done("apply")
        self.write(objects(networks=[{"name": "private", "attributes": {"VN_MAD": "bridge", "BRIDGE": "br1"}}]))

        self.assertTrue(self.run_tool("apply")[2].startswith("FAULT\tDS3208\t"))

    def test_one_that_cannot_change_stops_no_other(self):
        self.write(objects())
        self.done("apply")
        (self.folder / "accounts").write_text("alice:other\n")
        digest = self.write(objects(
            networks=[{"name": "private", "attributes": {"VN_MAD": "bridge", "BRIDGE": "br1"}}],
            images=[{"name": "debian", "attributes": {"PATH": "/var/tmp/debian-13.qcow2", "TYPE": "OS"}}],
            templates=[{"name": "large", "attributes": {"CPU": "8"}}]))

        code, _, err = self.run_tool("apply")

        self.assertEqual(1, code)
        told = [line.split("\t")[2].split(" and ")[0] if "\t" in line else line for line in err.splitlines()]
        self.assertEqual(["The network private exists", "The image debian exists", "the password of deepsite-verify is unknown here"], told)
        self.assertEqual("network private differs\nimage debian differs\nuser deepsite-verify has another password\n", self.run_tool("check", digest)[1])

    def test_all_refused_files_are_told(self):
        self.write(objects(images=[{"name": name, "attributes": {"PATH": "/srv/%s.qcow2" % name}} for name in ("debian", "fedora")]))

        self.assertEqual(["The image debian", "The image fedora"], [line.split("\t")[2].split(" is ")[0] for line in self.run_tool("apply")[2].splitlines()])

    def test_a_host_with_machines_stays_and_takes_no_more(self):
        self.write(objects())
        self.done("apply")
        (self.folder / "context").write_text('{"NETWORK": "YES"}')
        number = self.done("start", "web", "kvm-1", "debian", "private", str(self.folder / "context")).strip()

        code, _, err = self.run_tool("host-remove", "kvm-1")

        self.assertEqual((1, True), (code, err.startswith("FAULT\tDS3210\t")))
        self.assertEqual("DISABLED\n", self.done("host", "kvm-1"))
        self.done("end", number)
        self.done("host-remove", "kvm-1")
        self.assertEqual("ABSENT\n", self.done("host", "kvm-1"))
        self.done("host-remove", "kvm-1")

    def test_a_removed_host_comes_back(self):
        self.write(objects())
        self.done("apply")
        self.done("host-remove", "kvm-1")
        self.done("host-add", "kvm-1")

        self.assertEqual("MONITORED\n", self.done("host", "kvm-1"))

    def test_probes_that_do_not_reach_a_host_are_told(self):
        self.write(objects())
        self.done("apply")
        # As onehost of OpenNebula 6.10.0 ended when a host had no rsync.
        (self.folder / "runuser").write_text("#!/bin/sh\nexit 255\n")
        (self.folder / "runuser").chmod(0o755)
        path = os.environ["PATH"]
        self.addCleanup(os.environ.__setitem__, "PATH", path)
        os.environ["PATH"] = "%s:%s" % (self.folder, path)

        self.assertEqual(
            (1, "", "onehost sync --force did not copy the probes to all hosts (exit code 255); its output names them. It logs in as oneadmin, and uses rsync there.\n"),
            self.run_tool("sync", "words"))
        self.assertEqual(1, self.run_tool("synced", "words")[0])

    def test_states_of_machines(self):
        self.write(objects())
        self.done("apply")
        (self.folder / "context").write_text('{"NETWORK": "YES"}')
        runs = self.done("start", "web", "kvm-1", "debian", "private", str(self.folder / "context")).strip()
        waits = self.done("start", "db", "nowhere", "debian", "private", str(self.folder / "context")).strip()

        self.assertRegex(self.done("vm", runs), r"^RUNNING 10\.80\.0\.\d+\n$")
        self.assertIn("PENDING Cannot dispatch", self.done("vm", waits))
        # State numbers that did not exist when this was written do not break it.
        self.oned.get("vm", int(runs))["state"] = [99, 123]
        self.assertEqual("WAITING state 99/123\n", self.done("vm", runs))

    def test_a_file_that_the_datastore_refuses_is_told_before_anything_is_made(self):
        self.write(objects(images=[{"name": "debian", "attributes": {"PATH": "/srv/debian.qcow2", "TYPE": "OS"}}]))

        code, _, err = self.run_tool("apply")

        self.assertEqual(1, code)
        self.assertTrue(err.startswith("FAULT\tDS3226\tThe image debian is to be copied from /srv/debian.qcow2, but the datastore default only reads files below /var/tmp "), err)
        self.assertEqual(({}, {}), (self.oned.of("host"), self.oned.of("image")))

    def test_a_link_out_of_a_safe_folder_is_followed(self):
        safe = self.folder / "safe"
        safe.mkdir()
        (safe / "debian.qcow2").symlink_to("/etc/one/oned.conf")
        dict.update(self.oned.get("datastore", 1), attributes=[["RESTRICTED_DIRS", "/"], ["SAFE_DIRS", str(safe)]])
        self.write(objects(images=[{"name": "debian", "attributes": {"PATH": str(safe / "debian.qcow2")}}]))

        self.assertIn("(/etc/one/oned.conf)", self.run_tool("apply")[2])

    def test_where_nothing_is_restricted_its_own_folders_are(self):
        self.oned.get("datastore", 1)["attributes"] = []
        self.write(objects(images=[{"name": "debian", "attributes": {"PATH": "/var/lib/one/debian.qcow2"}}]))
        self.assertIn("FAULT\tDS3226\t", self.run_tool("apply")[2])
        self.write(objects(images=[{"name": "debian", "attributes": {"PATH": "/srv/debian.qcow2"}}]))
        self.done("apply")

        self.assertEqual("READY the image debian (%s) is in state READY\n" % self.number("image", "debian"), self.done("image", "debian"))

    def test_states_of_images(self):
        self.write(objects())
        self.done("apply")
        image = self.oned.get("image", int(self.number("image", "debian")))
        for state, words in ((1, "READY"), (2, "READY"), (8, "READY"), (4, "WAITING"), (0, "WAITING"), (6, "WAITING"), (9, "WAITING"), (10, "WAITING"),
                             (99, "WAITING"), (3, "FAILED"), (5, "FAILED"), (7, "FAILED")):
            image.update(state=state, looks=9)
            self.assertEqual(words, self.done("image", "debian").split()[0], state)
        image["state"] = 5
        image["attributes"].append(("ERROR", "Error copying image:\n404"))
        self.assertIn("is in state ERROR: Error copying image: 404\n", self.done("image", "debian"))
        self.assertEqual("FAILED the image fedora is not there\n", self.done("image", "fedora"))

    def test_a_machine_waits_for_an_image_that_is_copied_still(self):
        self.oned.copying = 9
        self.write(objects())
        self.done("apply")
        (self.folder / "context").write_text('{"NETWORK": "YES"}')
        waits = self.done("start", "web", "kvm-1", "debian", "private", str(self.folder / "context")).strip()
        image = self.oned.get("image", int(self.number("image", "debian")))
        self.assertEqual("WAITING an image is still being copied\n", self.done("vm", waits))

        image["looks"] = 0
        self.assertRegex(self.done("vm", waits), "^RUNNING ")

    def test_a_machine_whose_image_could_not_be_copied_names_it(self):
        self.oned.copying = 9
        self.write(objects())
        self.done("apply")
        (self.folder / "context").write_text('{"NETWORK": "YES"}')
        fails = self.done("start", "web", "kvm-1", "debian", "private", str(self.folder / "context")).strip()
        image = self.oned.get("image", int(self.number("image", "debian")))
        image.update(state=5)
        image["attributes"].append(("ERROR", "404"))

        self.assertEqual("FAILED the image debian (%s) is in state ERROR: 404\n" % self.number("image", "debian"), self.done("vm", fails))
        self.assertEqual(1, self.run_tool("start", "db", "kvm-1", "debian", "private", str(self.folder / "context"))[0])

    def number(self, kind, name):
        return next(number for number, each in self.oned.of(kind).items() if each["name"] == name)

    def test_an_ordinary_user_gets_no_device(self):
        self.write(objects())
        self.done("apply")

        self.assertEqual("", self.done("allowed", "deepsite-verify"))
        self.assertEqual("\n", self.done("unrestricted", "PCI/VENDOR", "PCI/SHORT_ADDRESS"))

    def test_what_opennebula_ships_restricts_nothing(self):
        self.serve(SHIPPED)
        self.write(objects())
        self.done("apply")

        self.assertEqual("PCI/VENDOR\nPCI/DEVICE\nPCI/CLASS\nPCI/SHORT_ADDRESS\n", self.done("allowed", "deepsite-verify"))
        self.assertEqual("PCI/VENDOR PCI/CLASS\n", self.done("unrestricted", "PCI/VENDOR", "PCI/CLASS"))
        self.assertEqual([[6, 0]] * 4, [vm["state"] for vm in self.oned.of("vm").values()])

    def test_devices_of_a_host(self):
        (self.folder / "devices.json").write_text(json.dumps(
            {"kvm-1": [{"SHORT_ADDRESS": "3b:00.0", "VENDOR": "10de", "DEVICE": "1b38", "CLASS": "0302"}]}))
        self.write(objects())
        self.done("apply")

        self.assertEqual("MONITORED\n3b:00.0 10de:1b38:0302 free\n", self.done("host", "kvm-1"))

    def test_a_wrong_session_is_told_without_the_password(self):
        (self.folder / "one_auth").write_text("oneadmin:guessed\n")

        code, out, err = self.run_tool("answers")

        self.assertEqual(1, code)
        self.assertIn("authenticated", err)
        self.assertNotIn("guessed", out + err)

    def test_an_oned_that_is_down_is_told(self):
        os.environ["ONE_XMLRPC"] = "http://127.0.0.1:9/RPC2"
        self.tool = module("tool", TOOL)

        self.assertIn("does not answer", self.run_tool("answers")[2])

    def test_quotes_in_attributes_stay_what_they_are(self):
        digest = self.write(objects(templates=[{"name": "small", "attributes": {"DESCRIPTION": 'says "hi" \\ bye'}}]))
        self.done("apply")

        self.done("check", digest)
        kept = dict(map(tuple, next(iter(self.oned.of("template").values()))["attributes"]))
        self.assertEqual('says "hi" \\ bye', kept["DESCRIPTION"])


if __name__ == "__main__":
    unittest.main()
