# shellcheck shell=bash
# Cases of the lane opennebula-real that need oneadmin: the limits of its user, and the tool of the front-end. Sourced.

readonly prefix=check-one-
readonly tool_folder=$LANE_OUT/tool

as_oneadmin() { DEEPSITE_OPENNEBULA_AUTH=$DEEPSITE_OPENNEBULA_ONEADMIN ask "$@"; }

# Quotas ------------------------------------------------------------------------------------------------------------------------------

readonly fits_exactly=(VMS=3 CPU=3 MEMORY=384 RUNNING_VMS=3 RUNNING_CPU=3 RUNNING_MEMORY=384)

of_image() { ask image "$DEEPSITE_OPENNEBULA_IMAGE" "$1"; }

# Sets limits of the user, or lifts them with the word "none": limits QUOTA none|KEY=VALUE…
limits() {
    local quota=$1 pair lifted=()
    shift
    if [ "$1" = none ]; then
        shift
        for pair; do lifted+=("${pair%=*}=-1"); done
        set -- "${lifted[@]}"
    fi
    as_oneadmin limit "$user" "$quota" "$@"
}

lifts_limits() {
    limits vm none "${fits_exactly[@]}" SYSTEM_DISK_SIZE=
    limits "datastore:$(of_image DATASTORE_ID)" none IMAGES= SIZE=
    limits "image:$(of_image ID)" none RVMS=
    if has_quotas_of_clusters; then limits cluster:0 none "${fits_exactly[@]}"; fi
}

has_quotas_of_clusters() { [ "$(ask version | cut -d . -f 1)" -ge 7 ]; }

# The MiB of the site's disks that the datastore's driver places there: on SYSTEM for hosts, on SELF for the datastore.
disks_on() {
    local copies=0 data=0 store
    store=$(of_image DATASTORE)
    if [ "$(ask datastore "$store" TEMPLATE/CLONE_TARGET)" = "$1" ]; then copies=$((3 * $(of_image SIZE))); fi
    if [ "$(ask datastore "$store" TEMPLATE/LN_TARGET)" = "$1" ]; then data=32; fi
    echo $((copies + data))
}

# With this limit the plan ends with these words: is_refused QUOTA KEY=VALUE WORDS
is_refused() {
    local status=0
    limits "$1" "$2"
    exits 2 ds plan site.yaml 2>"$LANE_OUT/refused.txt" || status=1
    limits "$1" none "$2"
    cat "$LANE_OUT/refused.txt" >&2
    grep 'DS2410' "$LANE_OUT/refused.txt"
    grep -F "$3" "$LANE_OUT/refused.txt"
    [ "$status" -eq 0 ]
}

quotas_refuse_the_plan() {
    local on_hosts in_store
    on_hosts=$(disks_on SYSTEM)
    in_store=$((32 + $(disks_on SELF)))
    is_refused vm VMS=2 'is limited to 2 VMs and uses 0. The site needs 3 more (head 1, node 2), 1 too many.'
    is_refused vm CPU=2.5 'is limited to 2.5 cpus and uses 0.'
    is_refused vm MEMORY=383 'is limited to 383 MiB of memory and uses 0.'
    is_refused vm RUNNING_VMS=2 'is limited to 2 running VMs and uses 0.'
    is_refused vm RUNNING_CPU=2.5 'is limited to 2.5 cpus of running VMs and uses 0.'
    is_refused vm RUNNING_MEMORY=383 'is limited to 383 MiB of memory of running VMs and uses 0.'
    if [ "$on_hosts" -gt 0 ]; then is_refused vm "SYSTEM_DISK_SIZE=$((on_hosts - 1))" "The site needs $on_hosts more"; fi
    is_refused "datastore:$(of_image DATASTORE_ID)" IMAGES=1 'is limited to 1 images in the datastore'
    is_refused "datastore:$(of_image DATASTORE_ID)" "SIZE=$((in_store - 1))" "The site needs $in_store more"
    is_refused "image:$(of_image ID)" RVMS=2 "is limited to 2 VMs of the image $DEEPSITE_OPENNEBULA_IMAGE"
    exits 0 ds plan site.yaml
}

# The network of the site is in OpenNebula's first cluster only, whose name a user sees with the right USE on it.
quota_of_a_cluster_refuses_the_plan() {
    is_refused cluster:0 VMS=2 'is limited to 2 VMs in the cluster '
    is_refused cluster:0 RUNNING_MEMORY=383 'is limited to 383 MiB of memory of running VMs in the cluster '
    exits 0 ds plan site.yaml
}

apply_creates_nothing_over_a_quota() {
    limits vm VMS=2
    exits 2 ds apply site.yaml --yes --until machines 2>"$LANE_OUT/refused.txt"
    grep 'DS2410' "$LANE_OUT/refused.txt"
    as_before
    limits vm none VMS=
}

# oned itself takes no more than that, as its own refusals show.
quotas_that_just_fit_are_enough() {
    limits vm "${fits_exactly[@]}"
    limits vm "SYSTEM_DISK_SIZE=$(disks_on SYSTEM)"
    limits "datastore:$(of_image DATASTORE_ID)" IMAGES=2 "SIZE=$((32 + $(disks_on SELF)))"
    limits "image:$(of_image ID)" RVMS=3
    if has_quotas_of_clusters; then limits cluster:0 "${fits_exactly[@]}"; fi
    applies_machines
    site_is_there
    nothing_to_change
    destroys
}

# The tool of the front-end -----------------------------------------------------------------------------------------------------------

tool() {
    ONE_AUTH=$DEEPSITE_OPENNEBULA_ONEADMIN ONE_XMLRPC=$DEEPSITE_OPENNEBULA DEEPSITE_ONE_FOLDER=$tool_folder \
        /usr/bin/python3 templates/opennebula_frontend/usr/local/sbin/deepsite-opennebula.j2 "$@"
}

check_of_tool() { tool check "$(sha256sum <"$tool_folder/objects.json" | cut -d ' ' -f 1)"; }

objects_as() { as_oneadmin lists datastore host user | sort; }

# What deepsite renders for a cloud, under other names. No system datastore, which would take other people's machines, and an empty image,
# because nothing is known of files on the front-end: write_objects [FILTER]
write_objects() {
    local release=6.10
    if has_quotas_of_clusters; then release=7.0; fi
    mkdir -p "$tool_folder"
    jq --arg prefix "$prefix" '
        def named: .name |= $prefix + .;
        .hosts |= [.[0] | named]
        | .datastores |= map(select(.attributes.TYPE == "IMAGE_DS") | named)
        | .networks |= map(named | .attributes.BRIDGE |= "ds-" + .)
        | .images |= map(named | .attributes = {TYPE: "DATABLOCK", SIZE: "16", FORMAT: "raw", DEV_PREFIX: "vd"})
        | .users |= map(named)
        | .templates |= map(named | .attributes.DISK[].IMAGE |= $prefix + . | .attributes.NIC[]?.NETWORK |= $prefix + .)
        '"${1:+| $1}" "clusters/src/test/resources/golden/opennebula/$release/front/etc/one/deepsite/objects.json" >"$tool_folder/objects.json"
}

# write_accounts PASSWORD: of alice
write_accounts() {
    (umask 077 && printf '%salice:%s\n%sdeepsite-verify:of-the-check\n' "$prefix" "$1" "$prefix" >"$tool_folder/accounts")
}

tool_creates_objects() {
    write_objects
    write_accounts first-of-alice
    exits 1 check_of_tool
    tool apply
    check_of_tool
    objects_as >"$LANE_OUT/tool-made.txt"
    diff <(jq -r '.hosts[], .datastores[], .networks[], .images[], .users[], .templates[] | .name' "$tool_folder/objects.json" | sort) \
        <(comm -13 "$LANE_OUT/tool-before.txt" "$LANE_OUT/tool-made.txt" | cut -d ' ' -f 3 | sort)
}

second_run_changes_nothing() {
    tool apply
    check_of_tool
    objects_as | diff "$LANE_OUT/tool-made.txt" -
}

accounts_are_ordinary() { [ "$(logged_in first-of-alice me)" = "${prefix}alice 1" ]; }

# As alice: logged_in PASSWORD COMMAND…
logged_in() {
    (umask 077 && printf '%salice:%s\n' "$prefix" "$1" >"$tool_folder/alice")
    shift
    DEEPSITE_OPENNEBULA_AUTH=$tool_folder/alice ask "$@"
}

# A template and a password change; a network cannot, and keeps neither from changing.
changes_what_can_change() {
    write_objects '.templates[0].attributes.MEMORY = "2048" | .networks[0].attributes.BRIDGE = "ds-other"'
    write_accounts second-of-alice
    exits 1 check_of_tool | tee "$LANE_OUT/tool-differs.txt"
    grep -F "network ${prefix}private differs" "$LANE_OUT/tool-differs.txt"
    grep -F "template ${prefix}small differs" "$LANE_OUT/tool-differs.txt"
    grep -F "user ${prefix}alice has another password" "$LANE_OUT/tool-differs.txt"
    exits 1 tool apply 2>"$LANE_OUT/tool-refuses.txt"
    grep -F $'FAULT\tDS3208\tThe network '"${prefix}private exists" "$LANE_OUT/tool-refuses.txt"
    [ "$(wc -l <"$LANE_OUT/tool-refuses.txt")" -eq 1 ]
    [ "$(as_oneadmin template "${prefix}small" TEMPLATE/MEMORY)" = 2048 ]
    [ "$(logged_in second-of-alice me)" = "${prefix}alice 1" ]
    exits 1 logged_in first-of-alice me
    write_objects
    tool apply
    check_of_tool
}

leaves_what_it_did_not_make() {
    as_oneadmin template "${prefix}foreign"
    write_objects '.templates += [{name: "check-one-foreign", attributes: {CPU: "2"}}] | del(.templates[] | select(.name == "check-one-gpu"))'
    exits 1 tool apply 2>"$LANE_OUT/tool-foreign.txt"
    grep -F $'FAULT\tDS3209\tOpenNebula has a template '"${prefix}foreign that deepsite did not make" "$LANE_OUT/tool-foreign.txt"
    [ "$(as_oneadmin template "${prefix}foreign" TEMPLATE/CPU)" = 1 ]
    # One that it made and that site.yaml no longer has is gone.
    as_oneadmin lists | grep "template .* ${prefix}exact"
    exits 1 grep "template .* ${prefix}gpu" <(as_oneadmin lists)
    write_objects
    tool apply
    check_of_tool
}

state_of_machine() { tool vm "$1" | tee "$LANE_OUT/tool-vm.txt"; }

# A machine that fails has ended its wait, too.
has_started() { [[ "$(state_of_machine "$1")" = @(RUNNING|FAILED)* ]]; }

has_ended() { [[ "$(state_of_machine "$1")" = 'WAITING state 6/'* ]]; }

runs_a_machine() {
    local number host
    host=$(ask hosts | sed -n 1p)
    tool image "${prefix}debian-12" | grep "^READY the image ${prefix}debian-12 "
    printf '{"NETWORK": "YES"}\n' >"$tool_folder/context"
    number=$(tool start "${prefix}machine" "$host" "${prefix}debian-12" "${prefix}private" "$tool_folder/context")
    wait_for has_started "$number"
    grep -x 'RUNNING 10[.]80[.]0[.][0-9]*' "$LANE_OUT/tool-vm.txt"
    [ "$(tool host "$host" | sed -n 1p)" = MONITORED ]
    tool end "$number"
    wait_for has_ended "$number"
    tool end "$number"
}

# Both answers are the front-end's own: its configuration, and what it lets that user do.
says_which_devices_a_user_may_take() {
    tool unrestricted PCI/VENDOR PCI/DEVICE PCI/CLASS PCI/SHORT_ADDRESS | tr ' ' '\n' | sed '/^$/d' | tee "$LANE_OUT/tool-unrestricted.txt"
    tool allowed "${prefix}deepsite-verify" | diff "$LANE_OUT/tool-unrestricted.txt" -
}

removes_a_host() {
    local host=${prefix}kvm-1
    [ "$(tool host "$host" | wc -l)" -ge 1 ]
    tool host-remove "$host"
    [ "$(tool host "$host")" = ABSENT ]
    tool host-remove "$host"
    exits 1 check_of_tool | grep -Fx "host $host is not there"
    tool host-add "$host"
    tool apply
    check_of_tool
}

nothing_of_the_tool_is_left() {
    as_oneadmin clear "$prefix"
    objects_as | diff "$LANE_OUT/tool-before.txt" -
}

# -------------------------------------------------------------------------------------------------------------------------------------

quota_cases() {
    local user group
    read -r user group <<<"$(ask me)"
    if [ "$group" = 0 ]; then
        lane_skip 'quotas' "the group oneadmin of $user has none"
        return
    fi
    if [ -n "$(as_oneadmin limits "$user")" ]; then
        lane_skip 'quotas' "$user has limits of its own"
        return
    fi
    trap 'lifts_limits; keep_what_was_tested' EXIT
    write_site ''
    lane_case 'quotas of machines and data disks refuse the plan' quotas_refuse_the_plan
    if has_quotas_of_clusters; then
        lane_case 'a quota of a cluster refuses the plan' quota_of_a_cluster_refuses_the_plan
    else
        lane_skip 'a quota of a cluster refuses the plan' 'OpenNebula has them from 7.0 on'
    fi
    lane_case 'apply creates nothing over a quota' apply_creates_nothing_over_a_quota
    lane_case 'quotas that just fit are enough' quotas_that_just_fit_are_enough
    trap keep_what_was_tested EXIT
    lane_step 'the limits are lifted' lifts_limits
}

tool_cases() {
    lane_step 'what a killed run of the tool left is deleted' as_oneadmin clear "$prefix"
    if [ -n "$(as_oneadmin managed)" ]; then
        lane_skip 'the tool of the front-end' 'this cloud is a site of deepsite, whose templates it would remove'
        return
    fi
    objects_as >"$LANE_OUT/tool-before.txt"
    lane_must 'the tool of the front-end creates the objects of a cloud' tool_creates_objects
    lane_case 'a second run of it changes nothing' second_run_changes_nothing
    lane_case 'its accounts are ordinary ones' accounts_are_ordinary
    lane_case 'it changes templates and passwords, and refuses to change a network' changes_what_can_change
    lane_case 'it leaves what it did not make, and removes its own templates' leaves_what_it_did_not_make
    lane_case 'it starts, shows and ends a machine' runs_a_machine
    lane_case 'it says which devices an ordinary user may take' says_which_devices_a_user_may_take
    lane_case 'it removes a host and adds it again' removes_a_host
    lane_case 'nothing of it is left' nothing_of_the_tool_is_left
}
