# shellcheck shell=bash
# What the lanes of ./check share. Sourced by each, which has `set -euo pipefail` and LANE_OUT.

cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.."
. testbed/lib.sh

export LANE_OUT=${LANE_OUT:-$PWD/target/check/${0##*/}}
mkdir -p "$LANE_OUT"
export DEEPSITE_BIN=$PWD/dist/target/deepsite/bin/deepsite

# Runs a command as one test: lane_case NAME COMMAND… The lane goes on after a failure; use lane_must where it cannot.
lane_case() {
    local name=$1 start=$EPOCHREALTIME verdict=passed
    shift
    say "=== $name"
    # In a subshell with -e of its own: as a condition, a function's failures in the middle would pass unseen.
    set +e
    (
        set -e
        "$@"
    ) >&2
    local status=$?
    set -e
    if [ "$status" -ne 0 ]; then verdict=failed; fi
    printf '%s %s\n' "$verdict" "$name" >>"$LANE_OUT/cases"
    say "--- $verdict ($(((${EPOCHREALTIME/./} - ${start/./}) / 1000)) ms): $name"
    lane_last=$status
}

lane_must() {
    lane_case "$@"
    [ "$lane_last" -eq 0 ] || exit 1
}

# Copies Maven's reports of modules (default: all) into the lane's results: keep_reports surefire|failsafe [MODULE…]
keep_reports() {
    local report module kind=$1
    shift
    mkdir -p "$LANE_OUT/junit"
    for module in "${@:-*}"; do
        # shellcheck disable=SC2231 # * is every module
        for report in $module/target/"$kind"-reports/TEST-*.xml; do
            if [ -e "$report" ]; then cp "$report" "$LANE_OUT/junit/${report%%/*}-${report##*/}"; fi
        done
    done
}

# Fails unless the command ends with the given exit code: exits CODE COMMAND…
exits() {
    local want=$1 got=0
    shift
    "$@" || got=$?
    [ "$got" -eq "$want" ] || {
        say "exit code $got, wanted $want: $*"
        return 1
    }
}

# Prints kind and name of every instance, custom volume and network that LXD holds for a site.
resources_of() {
    lxc query '/1.0/instances?recursion=1' | jq -r --arg site "$1" '.[] | select(.config["user.deepsite.site"] == $site) | "instance " + .name'
    lxc query '/1.0/storage-pools/nova/volumes/custom?recursion=1' | jq -r --arg site "$1" '.[] | select(.config["user.deepsite.site"] == $site) | "volume " + .name'
    lxc query '/1.0/networks?recursion=1' | jq -r --arg site "$1" '.[] | select(.config["user.deepsite.site"] == $site) | "network " + .name'
}

# Starts a command that hears ^C, which the shell keeps from what runs in the background; its process is $heard.
hears() {
    env --default-signal=INT "$@" &
    heard=$!
}

# Fails unless the command that hears ends with the given exit code.
heard_ends() {
    local got=0
    wait "$heard" || got=$?
    [ "$got" -eq "$1" ] || {
        say "exit code $got, wanted $1"
        return 1
    }
}

# Deletes what LXD holds for a site, without deepsite: for the ends of lanes.
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

# Makes a bridge for one lane: lane_network NAME ADDRESS/PREFIX. Two applies at one moment may choose the same free address of a
# shared bridge, or the same free subnet for new ones; sites of lanes that run side by side share nothing.
lane_network() {
    lxc network delete "$1" 2>/dev/null || true
    lxc network create "$1" ipv4.address="$2" ipv4.nat=true ipv6.address=none
}

# The lane in which a role is tested, by the kind of cluster that it is for.
lane_of_role() {
    case $1 in
        api_endpoint | container_runtime | nvidia_* | kubernetes_*) echo kubernetes-roles ;;
        opennebula_*) echo opennebula ;;
        zookeeper | mesos_* | marathon* | chronos) echo mesos ;;
        *) echo roles ;;
    esac
}

# lane_roles FOLDER…: a case for each role there that has tests and belongs to this lane
lane_roles() {
    local lies_in role
    for lies_in; do
        role=$(basename "$lies_in")
        if [ -d "$lies_in/tests/held" ] && [ "$(lane_of_role "$role")" = "$LANE" ]; then
            lane_case "role $role: applied, again, drifted, mended, left" testbed/roles/test "${lies_in%/}"
        fi
    done
}
