"""All of Cinder in one process: its API, scheduler and one volume service, over oslo.messaging's in-memory transport, for the same
reasons as nova_all.py.

    cinder_all.py --config-file cinder.conf
"""
import sys

import eventlet

eventlet.monkey_patch()
# As every command of Cinder does: https://bugs.launchpad.net/bugs/1863021
import __original_module_threading as orig_threading  # noqa: E402
import threading  # noqa: E402
orig_threading.current_thread.__globals__["_active"] = threading._active

import os_brick  # noqa: E402
from oslo_config import cfg  # noqa: E402
from oslo_log import log as logging  # noqa: E402
from oslo_service import service as launchers  # noqa: E402

import deepsite_volumes  # noqa: E402
from cinder import i18n  # noqa: E402
i18n.enable_lazy()
from cinder import coordination, objects, rpc, service, utils, version  # noqa: E402
from cinder.common import config  # noqa: E402

CONF = cfg.CONF
# Cinder searches for drivers only below cinder.volume.drivers.
sys.modules["cinder.volume.drivers.deepsite_volumes"] = deepsite_volumes


def main():
    objects.register_all()
    CONF(sys.argv[1:], project="cinder", version=version.version_string())
    config.set_middleware_defaults()
    logging.setup(CONF, "cinder")
    utils.monkey_patch()
    os_brick.setup(CONF)
    coordination.COORDINATOR.start()
    rpc.init(CONF)
    launcher = launchers.ServiceLauncher(CONF)
    launcher.launch_service(service.Service.create(binary="cinder-scheduler"))
    for backend in CONF.enabled_backends:
        launcher.launch_service(service.Service.create(
            host="%s@%s" % (CONF.host, backend), service_name=backend, binary="cinder-volume", coordination=True))
    launcher.launch_service(service.WSGIService("osapi_volume"))
    launcher.wait()


if __name__ == "__main__":
    main()
