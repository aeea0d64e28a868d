# shellcheck shell=bash
# Detects a stalled lane of ./check: for ten minutes no output, almost no work of its processes, and none of them waiting for a
# processor. A lane on a busy machine is slow, not stalled. Sourced by ./check.

readonly stall_seconds=${CHECK_STALL_SECONDS:-600}
readonly stall_every=$((stall_seconds < 240 ? 1 : stall_seconds / 120))
# By lane: when it last made progress, and the counts then and since.
declare -A stall_moved=() stall_looked=() stall_size=() stall_ticks=() stall_work=() stall_waits=()

# stall_watch LANE: starts watching
stall_watch() {
    stall_looked[$1]=$SECONDS
    stall_begin "$1" 0 0
}

stall_begin() { stall_moved[$1]=$SECONDS stall_size[$1]=$2 stall_ticks[$1]=$3 stall_work[$1]=0 stall_waits[$1]=0; }

# Prints the processes below process $1, in its session, or with LANE_OUT=$2 in their environment (an emulated machine is a daemon), one
# per line: pid, state, ticks (10 ms) of processor time used by it and its ended children.
processes_of() {
    local daemons
    # Processes may end meanwhile: not a fault.
    daemons=$(grep -lszxF "LANE_OUT=$2" /proc/[0-9]*/environ | cut -d / -f 3 | tr '\n' ' ') || true
    cat /proc/[0-9]*/stat 2>/dev/null | awk -v root="$1" -v daemons=" $daemons" '
        {
            pid = $1
            sub(/^.*\) /, "")
            parent[pid] = $2
            mine[pid] = pid == root || $4 == root || index(daemons, " " pid " ")
            line[pid] = $1 " " ($12 + $13 + $14 + $15)
        }
        END {
            for (pid in line) {
                for (at = pid; at > 1 && !mine[at]; at = parent[at]) { }
                if (mine[at]) print pid, line[pid]
            }
        }'
}

# is_stalled LANE PID LOG: checks every few seconds; the log is in the folder that the lane has as LANE_OUT
is_stalled() {
    local lane=$1 size ticks waiting since
    if [ $((SECONDS - stall_looked[$lane])) -lt "$stall_every" ]; then return 1; fi
    stall_looked[$lane]=$SECONDS
    size=$(stat -c %s "$3")
    read -r ticks waiting < <(processes_of "$2" "$(dirname "$3")" | awk '{ sum += $3 } $2 == "R" || $2 == "D" { n++ } END { print sum + 0, n + 0 }')
    since=$((ticks - stall_ticks[$lane]))
    # Fewer than before: a process has ended whose parent did not count it. That is work, too.
    if [ "$since" -lt 0 ]; then since=100; fi
    stall_ticks[$lane]=$ticks
    stall_work[$lane]=$((stall_work[$lane] + since))
    if [ "$waiting" -gt 0 ]; then stall_waits[$lane]=$((stall_waits[$lane] + 1)); fi
    # An idle JVM uses a few ticks a second and is seen running now and then; a working or waiting process shows more.
    if [ "$size" -ne "${stall_size[$lane]}" ] || [ "${stall_work[$lane]}" -gt $((stall_seconds / 2)) ] ||
        [ "${stall_waits[$lane]}" -gt $((stall_seconds / stall_every / 20)) ]; then
        stall_begin "$lane" "$size" "$ticks"
        return 1
    fi
    [ $((SECONDS - stall_moved[$lane])) -ge "$stall_seconds" ]
}

# stall_dump PID FOLDER: prints what the processes of a lane wait for
stall_dump() {
    local pid
    printf '\n=== stalled: what its processes wait for\n'
    for pid in $(processes_of "$1" "$2" | cut -d ' ' -f 1 | sort -n); do
        if [ ! -e "/proc/$pid" ]; then continue; fi
        printf '%s %s in %s: %s\n' "$pid" "$(sed -n 's/^State:\t//p' "/proc/$pid/status")" "$(cat "/proc/$pid/wchan" 2>/dev/null)" "$(tr '\0' ' ' <"/proc/$pid/cmdline" | cut -c 1-300)"
        if [ "$(cat "/proc/$pid/comm")" = java ]; then
            # The JVM prints its thread stacks itself, into the lane's log.
            "$(dist/find-jdk)/bin/jcmd" "$pid" Thread.print 2>/dev/null || kill -QUIT "$pid"
        fi
    done
}
