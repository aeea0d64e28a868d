"""From nova-lxd's module of that name: the lists of functions that turn a flavor into a profile."""
import nova.conf


def _root(instance, client, *_):
    return {"root": {"type": "disk", "path": "/", "pool": nova.conf.CONF.lxd.pool}}


_CONFIG_FILTER_MAP = []
_DEVICE_FILTER_MAP = [_root]


def to_profile(client, instance, network_info, block_info, update=False):
    config, devices = {}, {}
    for each in _CONFIG_FILTER_MAP:
        config.update(each(instance, client) or {})
    for each in _DEVICE_FILTER_MAP:
        devices.update(each(instance, client, network_info, block_info) or {})
    if not update:
        return client.profiles.create(instance.name, config, devices)
    profile = client.profiles.get(instance.name)
    profile.config, profile.devices = config, devices
    profile.save()
    return profile
