# shellcheck shell=bash
# The operations of a site, each killed at every point that it passes: part of the lane faults with --full. Sourced by it.
#
# FAULTS_OPERATIONS selects some of them (all: create memory replace scale extend adopt gc destroy). Results are written to
# testbed/fault-points, and replace earlier results of these operations.

readonly fault_operations=${FAULTS_OPERATIONS:-create memory replace scale extend adopt gc destroy}
readonly fault_points=testbed/fault-points
readonly fault_site=check-faults
readonly fault_folder=$LANE_OUT/operations
readonly all_consents=reboot,replace,wipe,drain,remove-packages

fs() { (cd "$fault_folder" && "$DEEPSITE_BIN" "$@"); }

applies() { fs apply site.yaml --yes --allow "$all_consents"; }

# site_is MEMORY NETWORK COUNT
site_is() {
    write_site "$fault_folder" "$fault_site" "$2" "{image: debian/12, count: $3, cpus: 1, memory: $1}"
    printf 'lease: {duration: 4h, max: 400d}\n' >>"$fault_folder/site.yaml"
}

# An applied site, even if the previous case failed and left a broken one.
applied_site() {
    site_is "$@"
    applies || {
        starts_anew
        applies
    }
}

starts_anew() {
    sweep_site "$fault_site"
    rm -rf "$fault_folder/.deepsite"
}

# Restores the start of an operation, however the previous case ended.
operation_begins() {
    case $1 in
        create)
            starts_anew
            site_is 512MiB ck-faults 1
            ;;
        memory)
            applied_site 512MiB ck-faults 1
            site_is 640MiB ck-faults 1
            ;;
        replace)
            applied_site 512MiB ck-faults 1
            site_is 512MiB ck-faults2 1
            ;;
        scale)
            applied_site 512MiB ck-faults 2
            site_is 512MiB ck-faults 1
            ;;
        extend | destroy) applied_site 512MiB ck-faults 1 ;;
        adopt)
            applied_site 512MiB ck-faults 1
            rm -rf "$fault_folder/.deepsite"
            ;;
        gc)
            applied_site 512MiB ck-faults 1
            site_is 512MiB ck-faults 2
            exits 137 env DEEPSITE_CRASH_AT=remote.after:1 sh -c "cd $fault_folder && exec $DEEPSITE_BIN apply site.yaml --yes"
            site_is 512MiB ck-faults 1
            ;;
    esac
}

# Prints the arguments of the command to kill.
operation_is() {
    case $1 in
        create | memory | replace | scale) echo "apply site.yaml --yes --allow $all_consents" ;;
        extend) echo 'lease extend 1h --site site.yaml' ;;
        adopt) echo 'adopt site.yaml' ;;
        gc) echo 'gc site.yaml --yes' ;;
        destroy) echo 'destroy site.yaml --yes' ;;
    esac
}

# Runs it with environment variables for one command: operates OPERATION [NAME=VALUE]
operates() {
    local words
    read -ra words <<<"$(operation_is "$1")"
    (cd "$fault_folder" && env "${@:2}" "$DEEPSITE_BIN" "${words[@]}")
}

# Continues as a user would after a kill; a lease that was already extended must not be extended again.
operation_goes_on() {
    if [ "$1" != extend ]; then operates "$1"; fi
    if [ "$1" != destroy ]; then applies; fi
}

# The final state of all runs of an operation. The end of a lease differs in each.
operation_left() {
    local name
    resources_of "$fault_site" | sort
    if [ "$1" = destroy ]; then return; fi
    fs state list site.yaml | tail -n +2
    resources_of "$fault_site" | sed -n 's/^instance //p' | while read -r name; do
        "$LXD_EXEC" "$name" sh -c 'getent passwd alice; cat /home/alice/.ssh/authorized_keys; ls /var/lib/deepsite/contracts'
    done
}

operation_is_whole() {
    if [ "$1" != destroy ]; then
        exits 0 fs plan site.yaml --detailed-exitcode
        fs gc --list site.yaml | grep '^No orphans'
        fs secrets list site.yaml
        # Every tag has the recorded end of the lease.
        [ "$(lxc query '/1.0/instances?recursion=1' | jq -r --arg site "$fault_site" '.[].config | select(."user.deepsite.site" == $site) | ."user.deepsite.expires-at"' | sort -u)" = \
            "$(jq -r .lease.ends "$fault_folder/.deepsite/$fault_site/state.json")" ]
    fi
    no_ansible "$fault_folder"
}

# Lists the points of an unkilled operation, and its final state.
operation_counted() {
    operation_begins "$1"
    rm -f "$LANE_OUT/points"
    operates "$1" DEEPSITE_CRASH_COUNT="$LANE_OUT/points"
    if [ "$1" != destroy ]; then applies; fi
    operation_is_whole "$1"
    operation_left "$1" | tee "$LANE_OUT/left"
    [ -s "$LANE_OUT/points" ]
}

operation_survives() {
    operation_begins "$1"
    exits 137 operates "$1" DEEPSITE_CRASH_AT="$2"
    operation_goes_on "$1"
    operation_is_whole "$1"
    operation_left "$1" | diff "$LANE_OUT/left" -
}

# Replaces earlier results of an operation.
operation_recorded() {
    {
        sed "/^$1 /d" "$fault_points"
        cat "$LANE_OUT/found"
    } >"$fault_points.new"
    mv "$fault_points.new" "$fault_points"
}

kill_all_operations() {
    local operation point verdict commit
    commit=$(git rev-parse --short HEAD 2>/dev/null || echo unknown)
    mkdir -p "$fault_folder"
    site_is 512MiB ck-faults 1
    for operation in $fault_operations; do
        lane_case "$operation, not killed" operation_counted "$operation"
        # shellcheck disable=SC2154 # lane_case sets it
        if [ "$lane_last" -ne 0 ]; then continue; fi
        : >"$LANE_OUT/found"
        while read -r point <&3; do
            lane_case "$operation, kill -9 at $point" operation_survives "$operation" "$point"
            verdict=passed
            if [ "$lane_last" -ne 0 ]; then verdict=failed; fi
            printf '%s %s %s %s %s\n' "$operation" "$point" "$verdict" "$(date +%F)" "$commit" >>"$LANE_OUT/found"
        done 3<"$LANE_OUT/points"
        operation_recorded "$operation"
    done
    fs destroy site.yaml --yes
}
