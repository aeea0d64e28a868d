# shellcheck shell=bash disable=SC2154
# Real guests: a site of two servers in the OpenStack of `OS_TESTBED_HOSTS=kvm1 testbed/openstack/up`, one behind the other, booted,
# reached and configured by the packaged tool. Sourced by testbed/lanes/openstack; starts that cloud itself.
# A guest is emulated: it boots in one to ten minutes, depending on load. GUEST_PATIENCE (default 20m) limits each wait.

readonly guest_site=$LANE_OUT/guests
readonly cloud_site=check-cloud cloud_folder=$LANE_OUT/cloud-site
# shellcheck source=testbed/lxd/nova-host.sh
. testbed/lxd/nova-host.sh

guests() { (cd "$guest_site" && "$DEEPSITE_BIN" "$@"); }

# Runs a user's own ssh, which knows only the host keys that deepsite prints.
on() {
    local host=$1
    shift
    guests ssh "$host" -- "$@"
}

# A site without packages: it configures only names and a user.
write_guest_site() {
    rm -rf "$guest_site"
    mkdir -p "$guest_site"
    cat >"$guest_site/site.yaml" <<END
apiVersion: deepsite/v1
site: check-guests
provider:
  openstack:
    cloud: tenant
    network: {cidr: 10.66.0.0/24, external: public}
    bastion: head
    groups:
      node: {userData: own.sh}
ssh: {user: root, patience: ${GUEST_PATIENCE:-20m}}
machines:
  head: {image: debian-12-guest, cpus: 1, memory: 512MiB}
  node: {image: debian-12-guest, cpus: 1, memory: 512MiB}
users:
  ada: {uid: 10001}
END
    printf '#!/bin/sh\necho "own user data ran" >/etc/deepsite-own\n' >"$guest_site/own.sh"
    guests validate site.yaml
    testbed/openstack/lists >"$LANE_OUT/guests-before.json"
}

too_much_user_data() {
    { cat "$guest_site/own.sh" && head -c 50000 /dev/zero | tr '\0' '#'; } >"$guest_site/more.sh"
    sed 's/own\.sh/more.sh/' "$guest_site/site.yaml" >"$guest_site/more.yaml"
    exits 2 guests plan more.yaml 2>&1 | grep 'DS2331'
}

# A server stopped during the wait for its SSH ends the wait with Nova's status, long before the limit.
stopped_guest() {
    local log=$LANE_OUT/stopped.log applying
    guests apply site.yaml --yes >"$log" 2>&1 &
    applying=$!
    wait_for grep -q 'waiting for SSH of head' "$log"
    OS_CLOUD=tenant /usr/bin/python3 -c 'import openstack
compute = openstack.connect().compute
compute.stop_server(compute.find_server("check-guests-head"))'
    exits 1 wait "$applying"
    cat "$log"
    grep 'error DS3009' "$log"
    grep 'The back-end reports: its status is SHUTOFF' "$log"
    # Interrupted in its first boot, the guest may have lost files that cloud-init considers written: another boot has no network.
    guests destroy site.yaml --yes
}

# The run ends when the host has created its next key and nothing has recorded it, then when the host shows it and the injected one is
# still accepted. The next run continues from either state.
applies_guests() {
    exits 137 env DEEPSITE_CRASH_AT=vault.write.before:1 sh -c "cd $guest_site && exec $DEEPSITE_BIN apply site.yaml --yes"
    exits 137 env DEEPSITE_CRASH_AT=vault.write.before:2 sh -c "cd $guest_site && exec $DEEPSITE_BIN apply site.yaml --yes"
    guests apply site.yaml --yes
}

own_keys() {
    local host shown
    for host in head node; do
        shown=$(on "$host" cut -d' ' -f1,2 /etc/ssh/ssh_host_ed25519_key.pub)
        [ "$(jq -r --arg host "$host" '.hosts[$host].hostKey' "$guest_site/.deepsite/check-guests/state.json")" = "$shown" ]
        # The user data's key no longer authenticates anything.
        on "$host" grep -q 'ssh_keys' /var/lib/cloud/instance/user-data.txt
        if on "$host" grep -qF "${shown#* }" /var/lib/cloud/instance/user-data.txt; then return 1; fi
        on "$host" cloud-init status
    done
}

configured() {
    on head id -u ada | grep -x 10001
    on node id -u ada | grep -x 10001
    on node cat /etc/deepsite-own | grep -x 'own user data ran'
    guests plan site.yaml --detailed-exitcode
    guests verify site.yaml
}

destroys_guests() {
    guests destroy site.yaml --yes
    testbed/openstack/lists >"$LANE_OUT/guests-after.json"
    diff "$LANE_OUT/guests-before.json" "$LANE_OUT/guests-after.json"
}

# The image's parts beside its file: kernel and initrd, and the kernel arguments.
guest_properties() {
    env OS_CLOUD=admin /usr/bin/python3 -c 'import json, openstack
image = openstack.connect().image.find_image("debian-12-guest")
print(json.dumps({key: image.to_dict().get(key) or image.properties[key]
                  for key in ("hypervisor_type", "kernel_id", "ramdisk_id", "os_command_line")}))'
}

in_cloud() { (cd "$cloud_folder" && "$DEEPSITE_BIN" "$@"); }

sweep_cloud() {
    sweep_site "$cloud_site"
    lxc network delete ck-firstrun 2>/dev/null || true
}

# An existing cloud, as deepsite sees it: an LXD compute host and an API. Here the API belongs to other hosts, which boot a guest.
write_first_run() {
    sweep_cloud
    lane_network ck-firstrun 10.128.0.1/24
    rm -rf "$cloud_folder"
    mkdir -p "$cloud_folder"
    cat >"$cloud_folder/site.yaml" <<END
apiVersion: deepsite/v1
site: $cloud_site
provider: {lxd: {pool: {name: nova}, network: ck-firstrun}}
machines:
  host: {image: debian/12, memory: 1GiB}
clusters:
  cloud:
    kind: openstack
    method: packages
    given: true
    release: stein
    compute: [host]
    lxd: {pool: fast, device: /srv/lxd}  # a container has no loop files: a folder of the btrfs below it
    firstRun: first-run.yaml
END
    cat >"$cloud_folder/first-run.yaml" <<END
apiVersion: deepsite/v1
site: check-first-run
provider:
  openstack:
    cloud: admin
    createFlavors: true
    network:
      cidr: 10.67.0.0/24
      externalNetwork: {physical: elsewhere, cidr: 198.18.204.0/24, gateway: 198.18.204.1, first: 198.18.204.100, last: 198.18.204.199}
    bastion: guest
    groups:
      guest: {extraSpecs: {"lxd:gpus": "1"}}
    images:
      of-a-file:
        file: ${OS_CLIENT_CONFIG_FILE%/*}/state/guest/root.qcow2
        properties: $(guest_properties)
ssh: {user: root, patience: ${GUEST_PATIENCE:-20m}}
machines:
  guest: {image: of-a-file, cpus: 1, memory: 512MiB, disk: 2GiB, gpus: [{vendor: nvidia, count: 1}]}
END
    in_cloud validate site.yaml
    exits 3 in_cloud apply site.yaml --yes --until machines
    nova_comes "$cloud_site-host"
    testbed/openstack/lists >"$LANE_OUT/first-before.json"
}

first_run_proves_the_cloud() {
    in_cloud apply site.yaml --yes | tee "$LANE_OUT/first-run.txt"
    grep -E '^passed +cloud +first-run .* 1 machine of first-run.yaml came up, answered over SSH, and went again$' "$LANE_OUT/first-run.txt"
    testbed/openstack/lists >"$LANE_OUT/first-after.json"
    diff "$LANE_OUT/first-before.json" "$LANE_OUT/first-after.json"
    in_cloud destroy site.yaml --yes
}

real_guests() {
    lane_step 'a cloud with real guests' env OS_TESTBED_HOSTS=kvm1 testbed/openstack/up
    lane_must 'a site of two guests, one behind the other' write_guest_site
    lane_case 'user data over 64 KiB is refused before anything is created' too_much_user_data
    lane_must 'a server that is stopped ends the wait for its SSH' stopped_guest
    lane_must 'apply boots, reaches and configures them despite kill -9' applies_guests
    lane_case 'each has a host key known to no one else' own_keys
    lane_case 'they are configured, no changes are pending, verify passes' configured
    lane_case 'destroy leaves the lists of the APIs unchanged' destroys_guests
    lane_must 'a site that is a cloud, with a first run' write_first_run
    lane_case 'the first run creates its resources, reaches its guest, and leaves nothing' first_run_proves_the_cloud
}
