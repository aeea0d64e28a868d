"""All of Nova in one process: its API, conductor, scheduler and one compute service per host, over oslo.messaging's in-memory
transport. They are Nova's own services, started like Nova's commands start them; sharing one process saves a
message broker and a gigabyte.

    nova_all.py HOST,HOST… --config-file nova.conf

A host whose name begins with "kvm" boots real guests with libvirt; the others use the stand-in driver.
"""
import shlex
import sys

hosts = sys.argv.pop(1).split(",")
sys.argv[0] = "nova-all"

import nova.cmd  # noqa: F401,E402  patches the standard library for eventlet, as every command of Nova does
import eventlet  # noqa: E402
import os_vif  # noqa: E402
from oslo_log import log as logging  # noqa: E402
from oslo_privsep import priv_context  # noqa: E402
from oslo_service import service as launchers  # noqa: E402

import deepsite_hosts  # noqa: E402
import nova.conf  # noqa: E402
from nova import config, context, objects, service, utils  # noqa: E402
from nova.compute import rpcapi as compute_rpcapi  # noqa: E402
from nova.conductor import rpcapi as conductor_rpcapi  # noqa: E402
from nova.objects import host_mapping  # noqa: E402
from nova.scheduler import rpcapi as scheduler_rpcapi  # noqa: E402

CONF = nova.conf.CONF
# Nova searches for drivers only below nova.virt.
sys.modules["nova.virt.deepsite_hosts"] = deepsite_hosts


def main():
    config.parse_args(sys.argv)
    logging.setup(CONF, "nova")
    objects.register_all()
    priv_context.init(root_helper=shlex.split(utils.get_root_helper()))
    os_vif.initialize()
    objects.Service.enable_min_version_cache()
    launcher = launchers.ServiceLauncher(CONF)
    launcher.launch_service(service.Service.create(binary="nova-conductor", topic=conductor_rpcapi.RPC_TOPIC))
    launcher.launch_service(service.Service.create(binary="nova-scheduler", topic=scheduler_rpcapi.RPC_TOPIC))
    for host in hosts:
        CONF.set_override("host", host)
        CONF.set_override("compute_driver", "libvirt.LibvirtDriver" if host.startswith("kvm") else "deepsite_hosts.StandInDriver")
        launcher.launch_service(service.Service.create(host=host, binary="nova-compute", topic=compute_rpcapi.RPC_TOPIC))
    # Only libvirt's driver reads it later.
    CONF.set_override("host", next((host for host in hosts if host.startswith("kvm")), hosts[0]))
    known = 0
    while known < len(hosts):
        eventlet.sleep(0.2)
        known += len(host_mapping.discover_hosts(context.get_admin_context()))
    # A client that reaches the API finds its hosts, too.
    launcher.launch_service(service.WSGIService("osapi_compute"))
    launcher.wait()


if __name__ == "__main__":
    main()
