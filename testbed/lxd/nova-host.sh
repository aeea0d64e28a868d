# shellcheck shell=bash disable=SC2154
# An LXD host with Nova's compute service, in a container of the testbed. Sourced by lanes, after lib.sh of lanes.

# Debian's nova.conf and Nova's own compute service; nova-lxd is in no distribution, so a stand-in has its options: nova_comes HOST
nova_comes() {
    "$LXD_EXEC" "$1" sh -c 'apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends nova-common python3-pymysql >/dev/null'
    "$LXD_EXEC" "$1" mkdir -m 0755 /usr/lib/python3/dist-packages/nova/virt/lxd
    lxc file push --quiet --mode 0644 testbed/lxd/nova_lxd/*.py "$1/usr/lib/python3/dist-packages/nova/virt/lxd/"
    lxc file push --quiet --mode 0755 testbed/lxd/nova_compute_alone.py "$1/usr/local/bin/nova-compute-alone"
    "$LXD_EXEC" "$1" sh -c 'cat >/etc/nova/nova-compute.conf' <<'END'
[DEFAULT]
transport_url = fake://
rpc_response_timeout = 86400
[database]
connection = sqlite://
END
    "$LXD_EXEC" "$1" sh -c 'cat >/etc/systemd/system/nova-compute.service' <<'END'
[Service]
User=nova
ExecStart=/usr/bin/python3 /usr/local/bin/nova-compute-alone --config-file /etc/nova/nova.conf --config-file /etc/nova/nova-compute.conf
[Install]
WantedBy=multi-user.target
END
    "$LXD_EXEC" "$1" sed -i 's/^#compute_driver = .*/compute_driver = fake.FakeDriver/' /etc/nova/nova.conf
    "$LXD_EXEC" "$1" systemctl enable --quiet --now nova-compute.service
}
