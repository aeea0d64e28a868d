#!/usr/bin/python3
"""deepsite's Nova driver for LXD instances with cards, on a real LXD with simulated cards: testbed/lanes/gpu runs it with its
LXD_DIR, and the folder of the driver as PYTHONPATH, like the unit's drop-in. Nova's code is Debian's; testbed/lxd/nova_lxd replaces
nova-lxd."""
import os
import sys
import tempfile
import threading
import types
import unittest

sys.dont_write_bytecode = True
import nova.conf  # noqa: E402
import nova.virt  # noqa: E402
import pylxd  # noqa: E402
from nova import exception  # noqa: E402
from nova.virt import driver  # noqa: E402

PLACE = tempfile.mkdtemp()
os.symlink(os.path.join(os.path.dirname(os.path.realpath(__file__)), "nova_lxd"), os.path.join(PLACE, "lxd"))
nova.virt.__path__.append(PLACE)
K20M, FIRST, SECOND = "0000:17:00.0", "0000:65:00.0", "0000:b3:00.0"


def instance(name, **specs):
    return types.SimpleNamespace(name=name, image_ref="tiny", flavor=types.SimpleNamespace(extra_specs={"lxd:" + key: value for key, value in specs.items()}))


class CardsOfNova(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        # Nova's own loader, as nova-compute calls it.
        cls.driver = driver.load_compute_driver(None, "deepsite_nova_lxd.LXDDriver")
        cls.driver.client = pylxd.Client()
        nova.conf.CONF.set_override("pool", "nova", "lxd")

    def tearDown(self):
        for each in self.driver.client.containers.all():
            if each.name.startswith("instance-"):
                if each.status != "Stopped":
                    each.stop(force=True, wait=True)
                each.delete(wait=True)
        for each in self.driver.client.profiles.all():
            if each.name.startswith("instance-"):
                each.delete()

    def spawn(self, name, **specs):
        self.driver.spawn(None, instance(name, **specs), None, [], None, {})

    def cards(self, name):
        return sorted(each["pci"] for each in self.driver.client.containers.get(name).expanded_devices.values() if each["type"] == "gpu")

    def test_flavor_without_the_extra_spec_gets_none(self):
        self.spawn("instance-1")
        self.assertEqual([], self.cards("instance-1"))

    def test_each_card_is_given_once_and_again_when_it_is_free(self):
        self.spawn("instance-1", gpus="2")
        self.spawn("instance-2", gpus="1")
        self.assertEqual([K20M, FIRST, SECOND], sorted(self.cards("instance-1") + self.cards("instance-2")))
        self.assertEqual("true", self.driver.client.containers.get("instance-1").expanded_config["nvidia.runtime"])
        with self.assertRaisesRegex(exception.ComputeResourcesUnavailable, "1 card requested, but only 0 are free: .*17:00.0 Tesla K20m .used by instance-"):
            self.spawn("instance-3", gpus="1")
        # Before anything of it was created.
        self.assertFalse(self.driver.client.containers.exists("instance-3"))
        self.assertFalse(self.driver.client.profiles.exists("instance-3"))
        gone = self.driver.client.containers.get("instance-2")
        gone.stop(force=True, wait=True)
        gone.delete(wait=True)
        self.spawn("instance-3", gpus="1")

    def test_model_is_kept_to(self):
        self.spawn("instance-1", gpus="1", gpu_model="h100")
        self.spawn("instance-2", gpus="1", gpu_model="Tesla-K20m")
        self.assertEqual([FIRST], self.cards("instance-1"))
        self.assertEqual([K20M], self.cards("instance-2"))
        with self.assertRaisesRegex(exception.ComputeResourcesUnavailable, "2 cards of model h100 requested, but only 1 is free"):
            self.spawn("instance-3", gpus="2", gpu_model="h100")

    def test_a_profile_that_is_made_anew_keeps_its_cards(self):
        self.spawn("instance-1", gpus="1")
        before = self.cards("instance-1")
        from nova.virt.lxd import flavor
        flavor.to_profile(self.driver.client, instance("instance-1", gpus="1"), None, None, update=True)
        self.assertEqual(before, self.cards("instance-1"))

    def test_infiniband_is_asked_of_the_hosts_interface(self):
        from nova.virt.lxd import flavor
        flavor.to_profile(self.driver.client, instance("instance-1", infiniband="ibs1"), None, None)
        self.assertEqual({"type": "infiniband", "nictype": "sriov", "parent": "ibs1"}, self.driver.client.profiles.get("instance-1").devices["infiniband"])
        with self.assertRaisesRegex(exception.ComputeResourcesUnavailable, "this host has no InfiniBand interface ibs1"):
            self.spawn("instance-2", infiniband="ibs1")

    def test_two_at_one_moment_get_different_cards(self):
        threads = [threading.Thread(target=self.spawn, args=("instance-%d" % number,), kwargs={"gpus": "1"}) for number in (1, 2, 3)]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
        self.assertEqual([K20M, FIRST, SECOND], sorted(self.cards("instance-1") + self.cards("instance-2") + self.cards("instance-3")))


if __name__ == "__main__":
    unittest.main()
