"""Replaces hardware in the testbed's cloud: Nova's own fake driver, with hosts of realistic size, PCI cards and
virtual GPUs, and a way to make a server fail."""
import io
import threading
import time

from nova import availability_zones, exception
from nova.image import glance
from nova.virt import fake
from oslo_serialization import jsonutils

# Cards of hosts whose name begins with "gpu": vendor:product.
CARDS = ["10de:1eb8"] * 4 + ["10de:20b0"] * 2
VIRTUAL_GPUS = 4
# A flavor with this extra spec makes the first server of each name fail after scheduling, without trying other hosts: "true". Or
# that one and all others in its zone: "zone".
FAIL_FIRST = "standin:fail_first"


class StandInDriver(fake.FakeDriver):
    vcpus = 64
    memory_mb = 262144
    local_gb = 4096

    _failed = {}
    _lock = threading.Lock()

    def get_available_resource(self, nodename):
        resource = super().get_available_resource(nodename)
        if resource and nodename.startswith("gpu"):
            resource["pci_passthrough_devices"] = jsonutils.dumps(
                [self._card(slot, *card.split(":")) for slot, card in enumerate(CARDS)])
        return resource

    @staticmethod
    def _card(slot, vendor, product):
        return {
            "address": "0000:%02x:00.0" % (0x3b + slot), "dev_id": "pci_0000_%02x_00_0" % (0x3b + slot),
            "vendor_id": vendor, "product_id": product, "dev_type": "type-PCI", "status": "available",
            "parent_addr": None, "numa_node": None, "label": "label_%s_%s" % (vendor, product),
        }

    def update_provider_tree(self, provider_tree, nodename, allocations=None):
        super().update_provider_tree(provider_tree, nodename, allocations)
        if nodename.startswith("gpu"):
            inventory = dict(provider_tree.data(nodename).inventory)
            inventory["VGPU"] = {
                "total": VIRTUAL_GPUS, "min_unit": 1, "max_unit": VIRTUAL_GPUS, "step_size": 1, "reserved": 0,
                "allocation_ratio": 1.0,
            }
            provider_tree.update_inventory(nodename, inventory)

    def spawn(self, context, instance, *args, **kwargs):
        where = instance.flavor.extra_specs.get(FAIL_FIRST)
        if where == "zone":
            # Long enough to be visible there: Nova forgets the zone of a failed build.
            time.sleep(5)
        if where and self._fails_now(instance, where == "zone" and self._zone(context, instance)):
            raise exception.BuildAbortException(
                instance_uuid=instance.uuid, reason="the stand-in driver was asked to fail this server once")
        super().spawn(context, instance, *args, **kwargs)

    @staticmethod
    def _zone(context, instance):
        return availability_zones.get_host_availability_zone(context.elevated(), instance.host)

    def _fails_now(self, instance, zone):
        name = (instance.project_id, instance.display_name)
        with self._lock:
            first = name not in self._failed
            failed_in = self._failed.setdefault(name, zone)
            return first or bool(zone) and failed_in == zone

    def snapshot(self, context, instance, image_id, update_task_state):
        # A hypervisor's driver uploads the disk here; these hosts have none.
        super().snapshot(context, instance, image_id, update_task_state)
        metadata = {"disk_format": "raw", "container_format": "bare"}
        glance.API().update(context, image_id, metadata, io.BytesIO(bytes(1024 * 1024)))

    def destroy(self, context, instance, *args, **kwargs):
        # After it has worked and been deleted, the next one of its name fails again.
        if instance.uuid in self.instances:
            with self._lock:
                self._failed.pop((instance.project_id, instance.display_name), None)
        super().destroy(context, instance, *args, **kwargs)
