"""Stands where nova-lxd's module would (`compute_driver = lxd.LXDDriver`): Nova's own fake driver, with nova-lxd's options. Installed as
nova/virt/lxd/__init__.py in a test host. What the running service has of all options is written to its log, by oslo.config itself."""
import logging

from oslo_config import cfg

import nova.conf
from nova.virt import fake

LOG = logging.getLogger(__name__)

nova.conf.CONF.register_opts([
    cfg.StrOpt("root_dir", default="/var/lib/lxd/"), cfg.StrOpt("pool"), cfg.IntOpt("timeout", default=-1),
    cfg.BoolOpt("allow_live_migration", default=False)], "lxd")


class LXDDriver(fake.FakeDriver):
    def __init__(self, *arguments, **named):
        nova.conf.CONF.log_opt_values(LOG, logging.INFO)
        # As the real one does, which cannot work without.
        if nova.conf.CONF.lxd.pool == "none-such":
            raise ValueError("no pool none-such")
        super().__init__(*arguments, **named)
