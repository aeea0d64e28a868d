#!/usr/bin/python3
"""nova-lxd itself, with Nova of its release, on a real LXD: testbed/lanes/nova-lxd-real runs it with that Nova in PYTHONPATH and its
LXD_DIR; arguments: the nova.conf, the pool, and the folder of deepsite's GPU driver. It uses Nova's objects, no database and no
service."""
import os
import shutil
import subprocess
import sys
import types
import unittest
import uuid

import nova.conf
import pylxd
from nova import context, exception, objects
from nova.compute import power_state, task_states, vm_states
from nova.virt import driver
from oslo_utils import units

CONF_FILE, POOL, GPUS = sys.argv[1:4]
# LXD makes a folder of an instance's name in its folder of logs. With LXD_DIR set that one lies elsewhere, and nova-lxd's name for it is
# fixed.
LOGS = "/var/log/lxd"


class NovaLxd(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        nova.conf.CONF(["--config-file", CONF_FILE], project="nova", default_config_files=[])
        objects.register_all()
        # There is no database with instances of this host.
        objects.InstanceList.get_by_host = lambda *_, **__: objects.InstanceList(objects=[])
        cls.driver = driver.load_compute_driver(None, nova.conf.CONF.compute_driver)
        cls.driver.init_host("host")
        cls.client = pylxd.Client()
        cls.context = context.RequestContext("user", "project")

    def setUp(self):
        self.instance = objects.Instance(
            uuid=str(uuid.uuid4()), id=1, image_ref="tiny", memory_mb=64, vcpus=1, root_gb=1, ephemeral_gb=0, system_metadata={}, metadata={},
            vm_state=vm_states.BUILDING, task_state=task_states.SPAWNING, config_drive="", host="host",
            flavor=objects.Flavor(vcpus=1, memory_mb=64, root_gb=1, ephemeral_gb=0, extra_specs={}))
        os.makedirs(os.path.join(LOGS, self.instance.name))
        self.addCleanup(shutil.rmtree, os.path.join(LOGS, self.instance.name))

    def spawn(self):
        self.driver.spawn(self.context, self.instance, None, [], None, {}, network_info=[], block_device_info=None)

    def state(self):
        return self.driver.get_info(self.instance).state

    def destroy(self):
        self.driver.destroy(self.context, self.instance, [])
        self.assertFalse(self.client.containers.exists(self.instance.name))
        self.assertFalse(self.client.profiles.exists(self.instance.name))

    def test_an_instance_is_made_stopped_started_and_deleted_in_the_pool(self):
        self.spawn()
        self.assertEqual(power_state.RUNNING, self.state())
        root = self.client.containers.get(self.instance.name).expanded_devices["root"]
        self.assertEqual((POOL, "1GB"), (root["pool"], root["size"]))
        self.driver.power_off(self.instance)
        self.assertNotEqual(power_state.RUNNING, self.state())
        self.driver.power_on(self.context, self.instance, [])
        self.assertEqual(power_state.RUNNING, self.state())
        self.driver.reboot(self.context, self.instance, [], "HARD")
        self.assertEqual(power_state.RUNNING, self.state())
        self.destroy()

    def test_the_disk_is_that_of_the_pool(self):
        pool = self.client.api.storage_pools[POOL].resources.get().json()["metadata"]["space"]["total"]
        told = self.driver.get_available_resource(None)["local_gb"]
        print("Nova sees %d GB; the pool has %d GB" % (told, pool // units.Gi))
        self.assertEqual(pool // units.Gi, told)

    def test_a_live_migration_is_refused_before_anything_is_made(self):
        self.spawn()
        self.addCleanup(self.destroy)
        with self.assertRaises(exception.MigrationPreCheckError):
            self.driver.check_can_live_migrate_source(self.context, self.instance, None)

    def test_no_instance_can_be_moved(self):
        """Why allow_live_migration is False: with the source answering, _migrate fails on an attribute that it does not have."""
        self.spawn()
        self.addCleanup(self.destroy)
        asked = []

        def other_host(endpoint, verify):
            asked.append(endpoint)
            container = types.SimpleNamespace(generate_migration_data=lambda: {"name": self.instance.name})
            return types.SimpleNamespace(containers=types.SimpleNamespace(get=lambda name: container))
        module = sys.modules["nova.virt.lxd.driver"].pylxd
        self.addCleanup(setattr, module, "Client", module.Client)
        module.Client = other_host
        with self.assertRaisesRegex(AttributeError, "containers"):
            self.driver._migrate("other", self.instance)
        # LXD does not listen at the port of https.
        self.assertEqual(["https://other"], asked)

    def test_another_pool_fails_at_the_first_instance(self):
        nova.conf.CONF.set_override("pool", "none-such", "lxd")
        self.addCleanup(nova.conf.CONF.clear_override, "pool", "lxd")
        self.driver.init_host("host")
        with self.assertRaises(pylxd.exceptions.NotFound):
            self.spawn()
        self.assertFalse(self.client.containers.exists(self.instance.name))

    def test_nova_loads_the_driver_that_gives_gpus(self):
        said = self.loads("deepsite_nova_lxd.LXDDriver", GPUS)
        self.assertEqual("nova.virt.deepsite_nova_lxd nova.virt.lxd.driver\n", said)

    def test_nova_refuses_the_path_of_other_guides(self):
        with self.assertRaisesRegex(subprocess.CalledProcessError, "status 1"):
            self.loads("nova_lxd.nova.virt.lxd.LXDDriver", GPUS)

    def loads(self, name, path):
        return subprocess.run(
            [sys.executable, "-c", "import nova.conf; from nova.virt import driver; made = type(driver.load_compute_driver(None, '%s'));"
             " print(made.__module__, made.__mro__[1].__module__)" % name], env=dict(os.environ, PYTHONPATH=path + ":" + os.environ["PYTHONPATH"]),
            stdout=subprocess.PIPE, check=True, universal_newlines=True).stdout


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[4:], verbosity=2)
