"""Replaces storage in the testbed's cloud: each volume is a sparse file. For a host that boots real guests it is a block device as well,
by a loop device on this machine, so a guest has a real disk."""
import os

from cinder import exception, interface
from cinder.image import image_utils
from cinder.volume import driver
from oslo_concurrency import processutils
from oslo_config import cfg
from oslo_utils import units

CONF = cfg.CONF


@interface.volumedriver
class FileDriver(driver.VolumeDriver):
    VERSION = "1"

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.folder = os.path.join(CONF.state_path, "volumes")

    @staticmethod
    def get_driver_options():
        return []

    def do_setup(self, context):
        os.makedirs(self.folder, exist_ok=True)

    def check_for_setup_error(self):
        if not os.access(self.folder, os.W_OK):
            raise exception.VolumeBackendAPIException(data="%s is not writable" % self.folder)

    def _path(self, volume):
        return os.path.join(self.folder, volume.id)

    def create_volume(self, volume):
        with open(self._path(volume), "xb") as file:
            file.truncate(volume.size * units.Gi)

    def copy_image_to_volume(self, context, volume, image_service, image_id):
        image_utils.fetch_to_raw(context, image_service, image_id, self._path(volume), "1M", size=volume.size, run_as_root=False)
        os.truncate(self._path(volume), volume.size * units.Gi)

    def clone_image(self, context, volume, image_location, image_meta, image_service):
        return None, False

    def delete_volume(self, volume):
        for device in self._devices(volume):
            processutils.execute("losetup", "--detach", device)
        if os.path.exists(self._path(volume)):
            os.unlink(self._path(volume))

    def extend_volume(self, volume, new_size):
        os.truncate(self._path(volume), new_size * units.Gi)
        for device in self._devices(volume):
            processutils.execute("losetup", "--set-capacity", device)

    def _devices(self, volume):
        out, _ = processutils.execute("losetup", "--noheadings", "--output", "NAME", "--associated", self._path(volume))
        return out.split()

    def initialize_connection(self, volume, connector):
        path = self._path(volume)
        if connector["host"].startswith("kvm"):
            out, _ = processutils.execute("losetup", "--find", "--show", path)
            path = out.strip()
        return {"driver_volume_type": "local", "data": {"device_path": path}}

    def terminate_connection(self, volume, connector, **kwargs):
        for device in self._devices(volume):
            processutils.execute("losetup", "--detach", device)

    def ensure_export(self, context, volume):
        pass

    def create_export(self, context, volume, connector):
        pass

    def remove_export(self, context, volume):
        pass

    def get_volume_stats(self, refresh=False):
        return {"volume_backend_name": "files", "vendor_name": "deepsite", "driver_version": self.VERSION, "storage_protocol": "local",
                "total_capacity_gb": 100000, "free_capacity_gb": 100000, "online_extend_support": True}

    def migrate_volume(self, context, volume, host):
        return False, None

    def manage_existing(self, volume, existing_ref):
        raise NotImplementedError

    def manage_existing_get_size(self, volume, existing_ref):
        raise NotImplementedError

    def unmanage(self, volume):
        raise NotImplementedError
