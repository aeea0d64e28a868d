"""Stands where nova-lxd's module would (`compute_driver = lxd.LXDDriver`): Nova's own fake driver, with nova-lxd's options. Installed as
nova/virt/lxd/__init__.py in a test host. Which of them the real service then has is Nova's own word, in its log."""
from oslo_config import cfg

import nova.conf
from nova.virt import fake

nova.conf.CONF.register_opts([
    cfg.StrOpt("root_dir", default="/var/lib/lxd/"), cfg.StrOpt("pool"), cfg.IntOpt("timeout", default=-1),
    cfg.BoolOpt("allow_live_migration", default=False)], "lxd")


class LXDDriver(fake.FakeDriver):
    def __init__(self, *arguments, **named):
        # As the real one does, which cannot work without.
        if nova.conf.CONF.lxd.pool == "none-such":
            raise ValueError("no pool none-such")
        super().__init__(*arguments, **named)
