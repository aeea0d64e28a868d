"""Replaces nova-lxd's package (`compute_driver = lxd.LXDDriver`), which is in no distribution: Nova's own fake driver, with
nova-lxd's options, and its way from a flavor to a profile and an LXD instance (github.com/openstack-archive/nova-lxd 293df79, the
last of stable/stein that deepsite offers: driver.py and flavor.py; like the real one, it does not read the pool when it starts:
init_host only connects to LXD). Installed as nova/virt/lxd in a test host. oslo.config itself writes the running service's options to its
log."""
import logging

from oslo_config import cfg

import nova.conf
from nova.virt import fake
from nova.virt.lxd import flavor

LOG = logging.getLogger(__name__)

nova.conf.CONF.register_opts([
    cfg.StrOpt("root_dir", default="/var/lib/lxd/"), cfg.StrOpt("pool"), cfg.IntOpt("timeout", default=-1),
    cfg.BoolOpt("allow_live_migration", default=False)], "lxd")


class LXDDriver(fake.FakeDriver):
    client = None

    def __init__(self, *arguments, **named):
        nova.conf.CONF.log_opt_values(LOG, logging.INFO)
        super().__init__(*arguments, **named)

    def spawn(self, context, instance, image_meta, injected_files, admin_password, allocations, network_info=None, block_device_info=None, **_):
        """As in the real one: the profile, the instance with it, its start."""
        profile = flavor.to_profile(self.client, instance, network_info, block_device_info)
        container = self.client.containers.create(
            {"name": instance.name, "profiles": [profile.name], "source": {"type": "image", "alias": instance.image_ref}}, wait=True)
        container.start(wait=True)
