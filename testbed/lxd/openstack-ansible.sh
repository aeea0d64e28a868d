# shellcheck shell=bash
# Cases of the lane nova-lxd: openstack-ansible runs on the site's host, from a stand-in of its repository.
: "${LANE_OUT:?}" "${folder:?}" "${site:?}"

readonly stand_in=/var/lib/openstack-ansible-stand-in

calls() { in_host sh -c "cat $stand_in/calls 2>/dev/null" | paste -sd ' ' -; }

# A single host: deepsite creates its bridges, and its LXD already has its pool.
openstack_site() {
    local commit
    lxc file push --quiet --mode 0700 ansible-roles/openstack_ansible/tests/prepare "$site-host/root/stand-in"
    commit=$(in_host /root/stand-in)
    sed -i '/^clusters:/,$d' "$folder/site.yaml"
    cat >>"$folder/site.yaml" <<END
clusters:
  cloud:
    kind: openstack
    method: openstack-ansible
    release: stein
    control: [host]
    compute: [host]
    services: [horizon]
    smallHosts: true
    networks:
      externalVip: cloud.example.org
      bridges: made
      management: {bridge: br-mgmt, range: 172.29.236.0/22}
      overlay: {bridge: br-vxlan, range: 172.29.240.0/22}
      provider: {flat: {}}
    sources: {openstackAnsible: "file:///srv/openstack-ansible", openstackAnsibleCommit: $commit}
    lxd: {pool: fast, device: /srv/lxd}
END
    ds validate site.yaml
    in_host mkdir -p "$stand_in"
    in_host touch "$stand_in/fail-setup-infrastructure"
}

a_failed_playbook_ends_the_apply() {
    exits 1 ds apply site.yaml --yes 2>"$LANE_OUT/playbook.txt"
    cat "$LANE_OUT/playbook.txt"
    grep DS3260 "$LANE_OUT/playbook.txt"
    grep 'in its task "galera_server : Start the database"' "$LANE_OUT/playbook.txt"
    if grep -r 'not to be told' "$folder"; then return 1; fi
    [ "$(calls)" = 'setup-hosts setup-infrastructure' ]
}

# Like openstack-ansible on a compute host: its overrides are in nova.conf, with which the service runs.
what_the_playbooks_make() {
    in_host sh -c 'mkdir -p /etc/nova && cat >/etc/systemd/system/nova-compute.service' <<<$'[Service]\nExecStart=/bin/sleep infinity'
    in_host cat /etc/openstack_deploy/user_zz_deepsite.yml | /usr/bin/python3 -c 'import configparser, sys, yaml
conf = configparser.ConfigParser()
conf.read_dict(yaml.safe_load(sys.stdin)["nova_nova_conf_overrides"])
conf.write(sys.stdout)' | in_host sh -c 'cat >/etc/nova/nova.conf'
    in_host systemctl daemon-reload
    in_host systemctl restart nova-compute.service
}

the_next_apply_goes_on_there() {
    exits 1 ds apply site.yaml --yes 2>"$LANE_OUT/no-nova.txt"
    grep 'cloud nova on host: /etc/nova/nova.conf names the pool none, not fast' "$LANE_OUT/no-nova.txt"
    what_the_playbooks_make
    ds verify site.yaml | grep -E '^passed +cloud +nova '
    [ "$(calls)" = 'setup-hosts setup-infrastructure setup-infrastructure setup-openstack' ]
    plans_nothing
}

# Like openstack-ansible's own ssh: with its key, and the hosts' known keys.
hosts_are_known() {
    in_host ssh -o BatchMode=yes -o StrictHostKeyChecking=yes -i /root/.ssh/deepsite_openstack_ansible 172.29.236.11 hostname
    exits 255 in_host ssh -o BatchMode=yes -o StrictHostKeyChecking=yes -i /root/.ssh/deepsite_openstack_ansible localhost true
}

bridges_have_their_addresses() {
    in_host ip -o -4 address show dev br-mgmt | grep -F 172.29.236.11/22
    in_host ip -o -4 address show dev br-vxlan | grep -F 172.29.240.11/22
    in_host ip -o link show dev br-vlan-veth | grep -F 'master br-vlan'
    in_host ip -o link show dev eth12
}

secrets_are_in_the_vault_and_one_file() {
    local password
    password=$(in_host sed -n 's/^keystone_auth_admin_password: "*\([^"]*\)"*$/\1/p' /etc/openstack_deploy/user_secrets.yml)
    [ "${#password}" -eq 32 ]
    [ "$(in_host stat -c %a /etc/openstack_deploy/user_secrets.yml)" = 600 ]
    if grep -rF "$password" "$folder" "$LANE_OUT"; then return 1; fi
    [ "$(ds secrets show openstack_cloud_keystone_auth_admin_password --reveal)" = "$password" ]
}

# Once through site.yaml, as the plan shows; once through a file of the admin.
a_changed_variable_runs_the_playbooks_again() {
    in_host rm "$stand_in/calls"
    sed -i 's/services: .horizon./services: [horizon, heat]/' "$folder/site.yaml"
    in_host sh -c 'echo "debug: true" >/etc/openstack_deploy/user_variables.yml'
    exits 3 ds plan site.yaml --detailed-exitcode | tee "$LANE_OUT/again.txt"
    grep -F conf.d/heat.yml "$LANE_OUT/again.txt"
    grep -F 'runs openstack-ansible to set up the services of OpenStack' "$LANE_OUT/again.txt"
    ds apply site.yaml --yes
    [ "$(calls)" = 'setup-hosts setup-infrastructure setup-openstack' ]
    plans_nothing
}

leaving_takes_openstack_ansible_away() {
    in_host systemctl stop nova-compute.service
    in_host rm -r /etc/nova /etc/systemd/system/nova-compute.service
    sed -i '/^clusters:/,$d' "$folder/site.yaml"
    printf 'clusters:\n  lxd:\n    kind: lxd-host\n    hosts: [host]\n    lxd: {pool: fast, device: /srv/lxd}\n' >>"$folder/site.yaml"
    ds apply site.yaml --yes
    exits 1 in_host sh -c 'ls -d /opt/openstack-ansible /usr/local/bin/openstack-ansible /root/.ssh/deepsite_openstack_ansible /root/.ssh/authorized_keys2 /root/.ssh/known_hosts2 /sys/class/net/br-mgmt 2>/dev/null | grep .'
    in_host ls /etc/openstack_deploy >"$LANE_OUT/openstack_deploy.txt"
    diff "$LANE_OUT/openstack_deploy.txt" - <<<user_variables.yml
}

openstack_ansible_cases() {
    lane_must 'a cloud on this host by a stand-in of openstack-ansible is valid' openstack_site
    lane_must 'a failing playbook ends the apply, and its task is reported' a_failed_playbook_ends_the_apply
    lane_must 'the next apply resumes at that playbook, and verifies' the_next_apply_goes_on_there
    lane_case 'it reaches hosts whose key deepsite provided, and no unknown ones' hosts_are_known
    lane_case 'bridges exist with their addresses' bridges_have_their_addresses
    lane_case 'its passwords are in the vault and in one file' secrets_are_in_the_vault_and_one_file
    lane_case 'a changed variable runs the playbooks again, and once' a_changed_variable_runs_the_playbooks_again
    lane_case 'leaving removes what deepsite fetched and created' leaving_takes_openstack_ansible_away
}
