# shellcheck shell=bash
# What testbed/roles/test sees of a host, and how it compares that. Sourced; a fault of any command here ends the sourcing script, which
# has `set -euo pipefail`: what was not seen or not compared agrees with nothing.

# probe_calls CONTRACT: one probe call per item of a contract, arguments quoted for sh
probe_calls() {
    local calls
    calls=$(jq -r '.items | to_entries[] | "\(.key + 1)" as $n | .value |
        if .type == "ini" then ["probe_ini", $n, .path, .section, .option]
        elif .type == "line" then ["probe_line", $n, .path, .id]
        elif .type == "kernel" then ["probe_kernel", $n, .what, .name] + (if .value == null then [] else [.value | tostring] end)
        elif .type == "probe" then ["probe_probe", $n] + .run
        elif .type == "service" then ["probe_service", $n, .unit]
        else ["probe_" + .type, $n, .path // .name] end | .[0] + " " + .[1] + " " + (.[2:] | @sh)' "$1") || return
    printf '%s\n' 'probe_all() {' "probe_begin 'test'" "$calls" probe_end '}' 'probe_all </dev/null'
}

# seen_items CONTRACT: of the probe's answer, {"id": what is seen} of every item. What apt could install depends on the age of its
# lists, not on us; what a probe says counts only where the contract expects a text.
seen_items() {
    sed -n '/^deepsite-probe 1 test$/,/^deepsite-probe end/p' | { grep '^{' || true; } |
        jq -S -s --slurpfile contract "$1" '($contract[0].items | length) as $items
            | if (map(.n) | unique | length) != $items then error("the probe reports \(length) items of \($items)") else . end
            | map($contract[0].items[.n - 1] as $item | {key: $item.id, value: ((.seen // {unknown}) | del(.candidate)
                | if $item.expect == null then del(.stdout) else . end)}) | from_entries'
}

# differing A B [EXCEPTIONS]: the ids of items that are not the same in both, but for those that a file names
differing() {
    jq -n -r --slurpfile a "$1" --slurpfile b "$2" --rawfile except "${3:-/dev/null}" '
        if ($a | length) != 1 or ($b | length) != 1 then error("nothing was seen") else . end
        | ($a[0] + $b[0] | keys[]) | select($a[0][.] != $b[0][.]) | select(IN($except | split("\n")[]) | not)'
}
