"""The role site_users with real accounts: in a mount namespace with an /etc, /home and /var/lib of its own."""

import json
import os
import shutil
import subprocess
import tempfile
import unittest

import jinja2
import plugins
import yaml

ROLE = os.path.join(plugins.REPOSITORY, "ansible-roles", "site_users")
CAN_MOUNT = os.geteuid() == 0 and subprocess.run(["unshare", "--mount", "true"], stderr=subprocess.DEVNULL, check=False).returncode == 0

# A test changes files below its folder, $1, only; the remaining arguments are the command.
INSIDE = """
mount --make-rprivate /
mount --bind "$1/etc" /etc
mount --bind "$1/home" /home
mount --bind "$1/lib" /var/lib
shift
exec "$@"
"""

SITE = """
- hosts: here
  gather_facts: false
  tasks: [{ansible.builtin.include_role: {name: site_users, rolespec_validate: false}}]
"""


def rendered(value, **variables):
    """As the engine renders it; another test compares that with Python's jinja2."""
    if isinstance(value, list):
        return [rendered(each, **variables) for each in value]
    return jinja2.Template(value).render(**variables) if isinstance(value, str) else value


def contract(users, former=()):
    phase = "after" if former else "before"
    with open(os.path.join(ROLE, "meta", "contract.yml"), encoding="utf-8") as stream:
        action = yaml.safe_load(stream)["actions"][0]
    action = {name: rendered(value, site_users_former=former) for name, value in action.items() if name not in ("when", "with")}
    items = [{"id": "group:" + name, "type": "group", "phase": phase, "name": name, "gid": uid, "system": False} for name, uid in users.items()]
    items += [{"id": "user:" + name, "type": "user", "phase": phase, "name": name, "uid": uid, "group": name, "groups": [], "home": "/home/" + name,
               "shell": "/bin/sh", "system": False, "comment": "", "authorized_keys": []} for name, uid in users.items()]
    for item in items:
        item.update(restarts=[], reloads=[])
    actions = [dict(action, on_delete=False, **{"with": {"accounts": list(former)}})] if former else []
    return {"role": "site_users", "host": "here", "fingerprint": "f", "items": items, "actions": actions}


@unittest.skipUnless(CAN_MOUNT, "needs root and a mount namespace")
class FormerAccountsTest(unittest.TestCase):
    ALICE = {"name": "alice-of-a-test", "uid": 47001, "heir": "bob-of-a-test"}

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        shutil.copytree("/etc", os.path.join(self.folder, "etc"), symlinks=True, ignore_dangling_symlinks=True)
        for name in ("home", "lib", "tmp"):
            os.mkdir(os.path.join(self.folder, name))
        os.chmod(self.folder, 0o755)
        self.write("site.yml", SITE)
        # As a bundle has it.
        role = os.path.join(self.folder, "ansible-roles/site_users")
        shutil.copytree(ROLE, role)
        for tasks in ("main.yml", "leave.yml"):
            shutil.copyfile(os.path.join(plugins.PLUGINS, "tasks", tasks), os.path.join(role, "tasks", tasks))
        self.write("inventory", "here ansible_connection=local ansible_python_interpreter=/usr/bin/python3\n")
        self.write("ansible.cfg", "[defaults]\ninventory = inventory\nroles_path = ansible-roles\naction_plugins = %s/action\nlibrary = %s/modules\n"
                                  "module_utils = %s/module_utils\nlocal_tmp = %s/tmp\nremote_tmp = %s/tmp\n" % (
                                      (plugins.PLUGINS,) * 3 + (self.folder,) * 2))

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as stream:
            stream.write(text)

    def inside(self, *words):
        done = subprocess.run(["unshare", "--mount", "sh", "-euc", INSIDE, "sh", self.folder, *words], cwd=self.folder,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        return done.returncode, done.stdout.decode()

    def hold(self, *contract_of):
        self.write("contracts/here/site_users.json", json.dumps(contract(*contract_of)))
        return self.inside("/usr/bin/python3", "/usr/bin/ansible-playbook", "site.yml")

    def held(self, *contract_of):
        rc, log = self.hold(*contract_of)
        self.assertEqual(rc, 0, log)
        return log

    def entry(self, table, name):
        return self.inside("getent", table, name)[1].strip()

    def test_a_uid_of_a_former_user_goes_to_another_and_files_stay(self):
        self.held({"alice-of-a-test": 47001})
        self.write("home/alice-of-a-test/thesis", "years of work\n")
        self.held({})
        self.assertIn("47001", self.entry("passwd", "alice-of-a-test"))

        self.held({"bob-of-a-test": 47001}, [self.ALICE])

        self.assertEqual(self.entry("passwd", "alice-of-a-test"), "")
        self.assertEqual(self.entry("group", "alice-of-a-test"), "")
        self.assertIn(":47001:47001:", self.entry("passwd", "bob-of-a-test"))
        with open(os.path.join(self.folder, "home/alice-of-a-test/thesis"), encoding="utf-8") as stream:
            self.assertEqual(stream.read(), "years of work\n")
        self.assertIn("changed=0", self.held({"bob-of-a-test": 47001}, [self.ALICE]))

    def test_it_goes_in_the_same_run_in_which_the_former_user_leaves(self):
        self.held({"alice-of-a-test": 47001})

        self.held({"bob-of-a-test": 47001}, [self.ALICE])

        self.assertEqual(self.entry("passwd", "alice-of-a-test"), "")
        self.assertIn(":47001:47001:", self.entry("passwd", "bob-of-a-test"))

    def test_an_account_that_was_there_before_deepsite_stays(self):
        self.inside("useradd", "--create-home", "--uid", "47001", "alice-of-a-test")
        self.held({"alice-of-a-test": 47001})

        rc, log = self.hold({"bob-of-a-test": 47001}, [self.ALICE])

        self.assertNotEqual(rc, 0)
        self.assertIn("Give bob-of-a-test another uid under users.bob-of-a-test.uid", " ".join(log.split()))
        self.assertIn("47001", self.entry("passwd", "alice-of-a-test"))

    def test_without_consent_the_host_says_whose_number_it_is(self):
        self.held({"alice-of-a-test": 47001})
        self.held({})

        rc, log = self.hold({"bob-of-a-test": 47001})

        self.assertNotEqual(rc, 0)
        self.assertIn("gid 47001 of bob-of-a-test belongs to the group alice-of-a-test on this host", log)
        self.assertIn("users.bob-of-a-test.uid", log)


if __name__ == "__main__":
    unittest.main()
