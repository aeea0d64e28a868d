# shellcheck shell=bash
# Common functions of the lanes of ./check. Sourced by each, which has `set -euo pipefail` and LANE_OUT.

cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.."
. testbed/lib.sh

export LANE_OUT=${LANE_OUT:-$PWD/target/check/${0##*/}}
mkdir -p "$LANE_OUT"
export DEEPSITE_BIN=${DEEPSITE_BIN:-$PWD/dist/target/deepsite/bin/deepsite}
# Runs a command as root in a container of the testbed, with its standard input and output.
export LXD_EXEC=$PWD/testbed/lxd/exec

# Runs a command as one test: lane_case NAME COMMAND… The lane continues after a failure; use lane_must if it cannot.
lane_case() {
    local name=$1 start=$EPOCHREALTIME verdict=passed
    shift
    say "=== $name"
    # In a subshell with its own -e: in a condition, a function's failures in the middle would be ignored.
    set +e
    (
        set -e
        "$@"
    ) >&2
    local status=$?
    set -e
    if [ "$status" -ne 0 ]; then verdict=failed; fi
    if [ "$status" -ne 0 ] || [ -z "${lane_uncounted:-}" ]; then printf '%s %s\n' "$verdict" "$name" >>"$LANE_OUT/cases"; fi
    say "--- $verdict ($(((${EPOCHREALTIME/./} - ${start/./}) / 1000)) ms): $name"
    lane_last=$status
}

lane_must() {
    lane_case "$@"
    [ "$lane_last" -eq 0 ] || exit 1
}

# A test that cannot run here, and why: lane_skip NAME WHY
lane_skip() {
    printf 'skipped %s\n' "$1" >>"$LANE_OUT/cases"
    say "--- skipped: $1: $2"
}

# A prerequisite of the cases that tests nothing of deepsite: the lane ends if it fails, and only then it counts as a test.
lane_step() {
    lane_uncounted=yes lane_case "$@"
    [ "$lane_last" -eq 0 ] || exit 1
}

# Copies Maven's reports of modules (default: all) into the lane's results: keep_reports surefire-reports|failsafe-reports/LANE [MODULE…]
keep_reports() {
    local report module reports=$1
    shift
    mkdir -p "$LANE_OUT/junit"
    for module in "${@:-*}"; do
        # shellcheck disable=SC2231 # * is every module
        for report in $module/target/$reports/TEST-*.xml; do
            if [ -e "$report" ]; then cp "$report" "$LANE_OUT/junit/${report%%/*}-${report##*/}"; fi
        done
    done
}

# Fails unless the command exits with the given code: exits CODE COMMAND…
exits() {
    local want=$1 got=0
    shift
    "$@" || got=$?
    [ "$got" -eq "$want" ] || {
        say "exit code $got, wanted $want: $*"
        return 1
    }
}

# Prints kind and name of every instance, custom volume and network of a site in LXD.
resources_of() {
    lxc query '/1.0/instances?recursion=1' | jq -r --arg site "$1" '.[] | select(.config["user.deepsite.site"] == $site) | "instance " + .name'
    lxc query '/1.0/storage-pools/nova/volumes/custom?recursion=1' | jq -r --arg site "$1" '.[] | select(.config["user.deepsite.site"] == $site) | "volume " + .name'
    lxc query '/1.0/networks?recursion=1' | jq -r --arg site "$1" '.[] | select(.config["user.deepsite.site"] == $site) | "network " + .name'
}

# Starts a command that receives ^C, which the shell blocks for background processes; its process is $heard.
hears() {
    env --default-signal=INT "$@" &
    heard=$!
}

# Fails unless that command exits with the given code.
heard_ends() {
    local got=0
    wait "$heard" || got=$?
    [ "$got" -eq "$1" ] || {
        say "exit code $got, wanted $1"
        return 1
    }
}

# Deletes what LXD has of a site, without deepsite, at the end of lanes.
sweep_site() {
    local kind name
    while read -r kind name; do
        case $kind in
            instance) lxc delete -f "$name" || true ;;
            volume) lxc storage volume delete nova "$name" || true ;;
            network) lxc network delete "$name" || true ;;
        esac
    done < <(resources_of "$1")
}

# Creates a bridge for one lane: lane_network NAME ADDRESS/PREFIX. Two simultaneous applies may choose the same free address of a
# shared bridge, or the same free subnet for new ones; sites of parallel lanes share nothing.
lane_network() {
    lxc network delete "$1" 2>/dev/null || true
    lxc network create "$1" ipv4.address="$2" ipv4.nat=true ipv6.address=none
}

# Prints the address of a container; fails while it has none.
address_of() { lxc list "^$1\$" --format json | jq -er '.[0].state.network.eth0.addresses[] | select(.family == "inet") | .address'; }

# Gives a stopped container a folder's login key and a host key, kept there under its name, and starts it:
# lane_host NAME FOLDER
lane_host() {
    ssh-keygen -q -t ed25519 -N '' -C '' -f "$2/$1"
    lxc file push --quiet --mode 0600 --uid 0 --gid 0 --create-dirs "$2/key.pub" "$1/root/.ssh/authorized_keys"
    lxc file push --quiet --mode 0600 --uid 0 --gid 0 "$2/$1" "$1/etc/ssh/ssh_host_ed25519_key"
    lxc start --quiet "$1"
}

# Prints such a host as a line below `hosts:` of an inventory: lane_inventory_line NAME FOLDER
lane_inventory_line() {
    printf '        %s: {ansible_host: %s, ansible_user: root, deepsite_host_key: "%s"}\n' \
        "$1" "$(address_of "$1")" "$(cut -d ' ' -f 1,2 "$2/$1.pub")"
}

# A PATH on which Ansible cannot start: a run that passes with it started none.
without_ansible() {
    mkdir -p "$LANE_OUT/no-ansible"
    printf '#!/bin/sh\necho "Ansible was started" >&2\nexit 99\n' >"$LANE_OUT/no-ansible/ansible-playbook"
    chmod +x "$LANE_OUT/no-ansible/ansible-playbook"
    PATH=$LANE_OUT/no-ansible:$PATH "$@"
}

# The lane that tests a role, by its kind of cluster.
lane_of_role() {
    case $1 in
        api_endpoint | container_runtime | nvidia_* | kubernetes_*) echo kubernetes-roles ;;
        opennebula_*) echo opennebula ;;
        lxd_* | openstack_*) echo nova-lxd ;;
        zookeeper | mesos_* | marathon* | chronos | oidc_proxy) echo mesos ;;
        site_directory | slurm_partition_qos) echo slurm-directory ;;
        slurm_release) echo slurm-upgrade ;;
        *) echo roles ;;
    esac
}

# lane_roles FOLDER…: a case for each role of this lane; a role without tests fails, unless it is in testbed/roles/untested
lane_roles() {
    local lies_in role
    for lies_in; do
        role=$(basename "$lies_in")
        if [ "$(lane_of_role "$role")" = "$LANE" ] && ! grep -q "^$role " testbed/roles/untested; then
            lane_case "role $role: applied, reapplied, drifted, repaired, left" testbed/roles/test "${lies_in%/}"
        fi
    done
}
