# shellcheck shell=sh
# What is on a host, seen from outside of every role: a library of POSIX sh functions, one per item type of a contract.
# It reads and never writes. It needs no Python; on Debian and Ubuntu everything it calls is in an essential package.
#
# The engine appends the calls and feeds the whole text to `sudo -n /bin/sh -s`:
#     probe_all() {
#         probe_begin '<nonce>'
#         probe_facts 1
#         probe_file 2 '/etc/motd'
#         probe_end
#     }
#     probe_all </dev/null
# The function is read whole before it runs, so no command can eat the rest of the script from standard input.
# Arguments are single-quoted by the engine; a path, name or unit never holds a newline.
#
# Answer: `deepsite-probe 1 <nonce>`, one line {"n":N,"seen":{...}} or {"n":N,"unknown":"why"} per call (not in the order of
# the calls: paths, packages and units are asked for all at once at the end), then `deepsite-probe end <number of lines>`.
# Lines before the first one are the login's noise. Bytes above 127 are passed as they are.

PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
LC_ALL=C
export PATH LC_ALL

probe_nl='
'
probe_tab=$(printf '\t')
probe_output_limit=4096
probe_fetch_limit=1048576
probe_sum_limit=67108864
probe_time_limit=120

# Functions that every awk program below starts with.
# shellcheck disable=SC2016
probe_awk='
BEGIN {
    for (i = 1; i < 32; i++) escaped[sprintf("%c", i)] = sprintf("\\u%04x", i)
    escaped["\177"] = "\\u007f"; escaped["\""] = "\\\""; escaped["\\"] = "\\\\"
}
function json(s,    out, i, c) {
    if (s !~ /[\001-\037"\\\177]/) return "\"" s "\""
    out = ""
    for (i = 1; i <= length(s); i++) { c = substr(s, i, 1); out = out ((c in escaped) ? escaped[c] : c) }
    return "\"" out "\""
}
function seen(n, members) { print "{\"n\":" n ",\"seen\":{" members "}}" }
function unknown(n, why) { print "{\"n\":" n ",\"unknown\":" json(why) "}" }
function bool(b) { return b ? "true" : "false" }
function trim(s) { sub(/^[ \t\r]+/, "", s); sub(/[ \t\r]+$/, "", s); return s }
'

probe_begin() {
    printf 'deepsite-probe 1 %s\n' "$1"
    # What a killed deepsite left at work on this host ends first: seen halfway, it would differ at the next look.
    [ ! -e /var/lib/deepsite/lock ] || flock --shared --timeout 60 /var/lib/deepsite/lock true || :
    probe_count=0
    probe_paths=
    probe_packages=
    probe_units=
    probe_jobs=
}

probe_end() {
    probe_flush_paths
    probe_flush_packages
    probe_flush_units
    probe_flush_done
    printf 'deepsite-probe end %s\n' "$probe_count"
}

probe_counted() { probe_count=$((probe_count + 1)); }

probe_has() { command -v "$1" >/dev/null 2>&1; }

# probe_json STRING: the string as JSON, without a process for what is usual
probe_json() {
    case $1 in
        *[!A-Za-z0-9_./:@,+=\ -]*) S=$1 awk "$probe_awk"'BEGIN { printf "%s", json(ENVIRON["S"]) }' ;;
        *) printf '"%s"' "$1" ;;
    esac
}

probe_seen() { printf '{"n":%s,"seen":{%s}}\n' "$1" "$2"; }

probe_unknown() { printf '{"n":%s,"unknown":%s}\n' "$1" "$(probe_json "$2")"; }

# probe_lines: standard input, one line each, as NUL-ended strings for xargs -0
probe_lines() { tr '\n' '\000'; }

# --- paths: file, directory, link, repository -----------------------------------------------------------------------

# probe_file N PATH: exists, type (file, directory, link, other), owner, group, mode; sha256 and size of a file; target of a link
probe_file() {
    probe_counted
    probe_paths="$probe_paths$1$probe_tab$2$probe_nl"
}
probe_directory() { probe_file "$@"; }
probe_link() { probe_file "$@"; }

# probe_repository N NAME: as probe_file, of the repository's deb822 file
probe_repository() { probe_file "$1" "/etc/apt/sources.list.d/$2.sources"; }

probe_flush_paths() {
    [ -n "$probe_paths" ] || return 0
    probe_stats=$(printf '%s' "$probe_paths" | cut -f2- | probe_lines | xargs -0 stat -c "%f %a %U %u %G %g %s$probe_tab%n" -- 2>&1)
    {
        printf '#ask\n%s#stat\n%s\n#sum\n' "$probe_paths" "$probe_stats"
        # Only regular files of a size that a contract could have written: reading a pipe, a device or a sparse file could go on for ever.
        printf '%s\n' "$probe_stats" | LIMIT=$probe_sum_limit awk '{ tab = index($0, "\t"); split(substr($0, 1, tab - 1), f, " ") }
            /^8/ && f[7] <= ENVIRON["LIMIT"] + 0 { print substr($0, tab + 1) }' | probe_lines | xargs -0 -r sha256sum -z -- 2>/dev/null | tr '\000' '\n'
        printf '#link\n'
        printf '%s\n' "$probe_stats" | grep '^a' | cut -f2- | probe_lines | xargs -0 -r readlink -z -- 2>/dev/null | tr '\000' '\n'
    } | LIMIT=$probe_sum_limit awk "$probe_awk"'
        part != "link" && /^#(ask|stat|sum|link)$/ { part = substr($0, 2); next }
        { tab = index($0, "\t") }
        part == "ask" { n[++asked] = substr($0, 1, tab - 1); path[asked] = substr($0, tab + 1) }
        part == "stat" && /^stat: / { if (/: Permission denied$/) refused[++refusals] = $0 }
        part == "stat" && tab { name = substr($0, tab + 1); if (!(name in stat) && /^a/) links[++found] = name; stat[name] = substr($0, 1, tab - 1) }
        part == "sum" { sum[substr($0, 67)] = substr($0, 1, 64) }
        part == "link" { target[links[++answered]] = $0 }
        END {
            for (i = 1; i <= asked; i++) {
                p = path[i]
                if (!(p in stat)) {
                    why = ""
                    for (r = 1; r <= refusals; r++) if (index(refused[r], "\047" p "\047")) why = p " cannot be looked at: permission denied"
                    if (why) unknown(n[i], why); else seen(n[i], "\"exists\":false")
                    continue
                }
                split(stat[p], f, " ")
                kind = substr(f[1], 1, length(f[1]) - 3)
                type = kind == "8" ? "file" : kind == "4" ? "directory" : kind == "a" ? "link" : "other"
                if (type == "file" && f[7] > ENVIRON["LIMIT"] + 0) sum[p] = "not read: larger than 64 MiB"
                if (type == "file" && !(p in sum)) { unknown(n[i], p " cannot be read, or sha256sum is missing"); continue }
                members = "\"exists\":true,\"type\":\"" type "\",\"owner\":" json(f[3] == "UNKNOWN" ? f[4] : f[3]) \
                    ",\"group\":" json(f[5] == "UNKNOWN" ? f[6] : f[5]) ",\"mode\":\"" substr("0000" f[2], length(f[2]) + 1) "\""
                if (type == "file") members = members ",\"size\":" f[7] ",\"sha256\":\"" sum[p] "\""
                if (type == "link") members = members ",\"target\":" json(target[p])
                seen(n[i], members)
            }
        }'
}

# probe_fetch N PATH: size, base64 (or too_large) of a regular file, for a diff
probe_fetch() {
    probe_counted
    if [ ! -e "$2" ]; then probe_seen "$1" '"exists":false'; return; fi
    if [ ! -f "$2" ]; then probe_unknown "$1" "$2 is no regular file"; return; fi
    if [ ! -r "$2" ]; then probe_unknown "$1" "$2 cannot be read"; return; fi
    probe_size=$(stat -L -c %s -- "$2")
    if [ "$probe_size" -gt "$probe_fetch_limit" ]; then
        probe_seen "$1" "\"exists\":true,\"size\":$probe_size,\"too_large\":true"
        return
    fi
    printf '{"n":%s,"seen":{"exists":true,"size":%s,"base64":"' "$1" "$probe_size"
    base64 -w0 <"$2"
    printf '"}}\n'
}

# --- packages -------------------------------------------------------------------------------------------------------

# probe_package N NAME: installed, version, held; of one that is not installed also candidate (null: no version in the repositories)
probe_package() {
    probe_counted
    probe_packages="$probe_packages$1$probe_tab$2$probe_nl"
}

probe_flush_packages() {
    [ -n "$probe_packages" ] || return 0
    # shellcheck disable=SC2016
    probe_status=$(printf '%s' "$probe_packages" | cut -f2 | probe_lines |
        xargs -0 dpkg-query -W -f '${Package}\t${Architecture}\t${db:Status-Abbrev}\t${Version}\n' -- 2>/dev/null)
    {
        printf '#ask\n%s#status\n%s\n#policy\n' "$probe_packages" "$probe_status"
        printf '#ask\n%s#status\n%s\n' "$probe_packages" "$probe_status" | awk -F '\t' '
            /^#/ { part = $0; next }
            part == "#ask" { name[++asked] = $2 }
            part == "#status" && $3 ~ /^.[iWt]/ { there[$1] = 1; there[$1 ":" $2] = 1 }
            END { for (i = 1; i <= asked; i++) if (!(name[i] in there)) print name[i] }' |
            probe_lines | xargs -0 -r apt-cache policy -- 2>/dev/null
    } | DPKG=$(command -v dpkg-query) APT=$(command -v apt-cache) awk -F '\t' "$probe_awk"'
        /^#(ask|status|policy)$/ { part = substr($0, 2); next }
        part == "ask" { n[++asked] = $1; name[asked] = $2 }
        part == "status" && NF == 4 {
            state = substr($3, 1, 2)
            for (i = 1; i <= 2; i++) {
                key = i == 1 ? $1 : $1 ":" $2
                if (!(key in status) || state ~ /[iWt]$/) { status[key] = state; version[key] = $4 }
            }
        }
        part == "policy" && /^[^ ].*:$/ { package = substr($0, 1, length($0) - 1) }
        part == "policy" && /^  Candidate: / { candidate[package] = substr($0, 14) }
        END {
            for (i = 1; i <= asked; i++) {
                p = name[i]
                if (ENVIRON["DPKG"] == "") { unknown(n[i], "dpkg-query is missing"); continue }
                held = bool(status[p] ~ /^h/)
                if (status[p] ~ /[iWt]$/) { seen(n[i], "\"installed\":true,\"version\":" json(version[p]) ",\"held\":" held); continue }
                members = "\"installed\":false,\"held\":" held
                if (ENVIRON["APT"] != "")
                    members = members ",\"candidate\":" ((p in candidate) && candidate[p] != "(none)" ? json(candidate[p]) : "null")
                seen(n[i], members)
            }
        }'
}

# --- services -------------------------------------------------------------------------------------------------------

# probe_service N UNIT: known, enabled (null: a unit that can be neither enabled nor disabled), active, unit_file_state, active_state, stale
probe_service() {
    probe_counted
    probe_units="$probe_units$1$probe_tab$2$probe_nl"
}

probe_flush_units() {
    [ -n "$probe_units" ] || return 0
    {
        printf '#ask\n%s#show\n' "$probe_units"
        if probe_has systemctl; then
            printf '%s' "$probe_units" | cut -f2 | probe_lines |
                xargs -0 systemctl show --no-pager -p LoadState -p UnitFileState -p ActiveState -p NeedDaemonReload -- 2>&1
        else
            echo 'systemctl is missing'
        fi
    } | awk -F '\t' "$probe_awk"'
        /^#(ask|show)$/ { part = substr($0, 2); next }
        part == "ask" { n[++asked] = $1; name[asked] = $2; next }
        /^$/ { inside = 0; next }
        /^[A-Za-z]+=/ {
            if (!inside) { inside = 1; shown++ }
            equal = index($0, "=")
            value[shown, substr($0, 1, equal - 1)] = substr($0, equal + 1)
            next
        }
        { trouble = $0 }
        END {
            for (i = 1; i <= asked; i++) {
                if (shown != asked) { unknown(n[i], trouble ? trouble : "systemctl shows " shown + 0 " of " asked " units"); continue }
                load = value[i, "LoadState"]; file = value[i, "UnitFileState"]; active = value[i, "ActiveState"]
                enabled = file ~ /^enabled/ ? "true" : file ~ /^(disabled|masked|linked|bad)/ ? "false" : "null"
                if (load == "not-found") { file = ""; enabled = "false" }
                seen(n[i], "\"known\":" bool(load != "not-found") ",\"enabled\":" enabled ",\"active\":" bool(active ~ /^(active|reloading)$/) \
                    ",\"unit_file_state\":" json(file) ",\"active_state\":" json(active) ",\"stale\":" bool(value[i, "NeedDaemonReload"] == "yes"))
            }
        }'
}

# --- users and groups -----------------------------------------------------------------------------------------------

# probe_group N NAME: exists, gid
probe_group() {
    probe_counted
    if probe_line=$(getent group "$2"); then
        probe_line=${probe_line#*:*:}
        probe_seen "$1" "\"exists\":true,\"gid\":${probe_line%%:*}"
    else
        probe_seen "$1" '"exists":false'
    fi
}

# probe_user N NAME: exists, uid, gid, group, groups, home, shell, comment, locked, expired, keys_sha256 (of ~/.ssh/authorized_keys; null: no such file; or "not read: <why>")
probe_user() {
    probe_counted
    if ! probe_line=$(getent passwd "$2"); then probe_seen "$1" '"exists":false'; return; fi
    if [ "$(id -u)" != 0 ]; then probe_unknown "$1" "only root sees whether user $2 is locked, and the keys"; return; fi
    probe_home=$(printf '%s' "$probe_line" | cut -d: -f6)
    probe_ids=$(printf '%s' "$probe_line" | cut -d: -f3,4)
    probe_keys=$(probe_keys "${probe_ids%:*}" "${probe_ids#*:}" "$probe_home") || { probe_unknown "$1" "$probe_home/.ssh/authorized_keys cannot be read"; return; }
    N=$1 LINE=$probe_line GROUP=$(id -gn "$2" 2>/dev/null) GROUPS_OF=$(id -Gn "$2" 2>/dev/null) SHADOW=$(getent shadow "$2") KEYS=$probe_keys awk "$probe_awk"'BEGIN {
        split(ENVIRON["LINE"], f, ":"); split(ENVIRON["SHADOW"], s, ":")
        count = split(ENVIRON["GROUPS_OF"], g, " ")
        for (i = 1; i <= count; i++) groups = groups (i > 1 ? "," : "") json(g[i])
        seen(ENVIRON["N"], "\"exists\":true,\"uid\":" f[3] ",\"gid\":" f[4] ",\"group\":" json(ENVIRON["GROUP"]) ",\"groups\":[" groups "]" \
            ",\"home\":" json(f[6]) ",\"shell\":" json(f[7]) ",\"comment\":" json(f[5]) ",\"locked\":" bool(s[2] ~ /^[!*]/) \
            ",\"expired\":" bool(s[8] == "1") ",\"keys_sha256\":" ENVIRON["KEYS"])
    }'
}

# probe_keys UID GID HOME: the digest of a user's keys as JSON, null, or why they were not read. As the user, who can put there a
# link to a file of somebody else, a pipe or a file of a terabyte.
# shellcheck disable=SC2016 # the inner shell's own
probe_keys() {
    if [ ! -e "$3/.ssh" ] && [ ! -L "$3/.ssh" ]; then printf null; return; fi
    setpriv --reuid="$1" --regid="$2" --clear-groups /bin/sh -c '
        keys=$1/.ssh/authorized_keys
        if [ -L "$1/.ssh" ] || [ -L "$keys" ]; then printf "\"not read: a link\""
        elif [ ! -e "$keys" ]; then printf null
        elif [ ! -f "$keys" ]; then printf "\"not read: no plain file\""
        elif [ "$(stat -c %s -- "$keys")" -gt 1048576 ]; then printf "\"not read: larger than 1 MiB\""
        else
            # Again without following and without waiting: the user may have put something else there since.
            [ -r "$keys" ] || exit 1
            sum=$(dd if="$keys" iflag=nofollow,nonblock bs=65536 count=17 2>/dev/null | sha256sum)
            printf "\"%s\"" "${sum%% *}"
        fi' sh "$3"
}

# --- parts of files -------------------------------------------------------------------------------------------------

# probe_readable N PATH: whether the file can be read; answers for it when not
probe_readable() {
    [ -f "$2" ] && [ -r "$2" ] && return 0
    if [ -f "$2" ]; then
        probe_unknown "$1" "$2 cannot be read"
    elif [ "$(id -u)" != 0 ] && [ ! -x "${2%/*}/" ]; then
        probe_unknown "$1" "$2 cannot be looked at: permission denied"
    else
        probe_seen "$1" '"exists":false,"present":false,"values":[]'
    fi
    return 1
}

# probe_ini N PATH SECTION OPTION: exists (the file), present, values (in order; a continued line follows a newline)
probe_ini() {
    probe_counted
    probe_readable "$1" "$2" || return 0
    N=$1 SECTION=$3 OPTION=$4 awk "$probe_awk"'
        function close_option() { if (open) list = list (count++ ? "," : "") json(value); open = 0; inside = 0 }
        BEGIN { wanted = ENVIRON["SECTION"]; option = ENVIRON["OPTION"]; section = "" }
        { sub(/\r$/, "") }
        /^[ \t]*$/ { close_option(); next }
        /^[ \t]/ && inside { if (open) value = value "\n" trim($0); next }
        { close_option() }
        /^[ \t]*\[[^]]*\]/ { section = $0; sub(/^[ \t]*\[/, "", section); sub(/\].*$/, "", section); section = trim(section); next }
        /^[ \t]*[#;]/ { next }
        {
            at = match($0, /[=:]/)
            if (!at) next
            inside = 1
            if (section == wanted && trim(substr($0, 1, at - 1)) == option) { open = 1; value = trim(substr($0, at + 1)) }
        }
        END { close_option(); seen(ENVIRON["N"], "\"exists\":true,\"present\":" bool(count) ",\"values\":[" list "]") }' <"$2"
}

# probe_line N PATH ID: exists (the file), present, sha256 of the lines between the markers of the item with this id
probe_line() {
    probe_counted
    probe_readable "$1" "$2" || return 0
    if ID=$3 awk 'BEGIN { id = ENVIRON["ID"] } $0 == "# BEGIN deepsite " id { b = 1 } b && $0 == "# END deepsite " id { e = 1 } END { exit !e }' <"$2"; then
        probe_sum=$(ID=$3 awk 'BEGIN { id = ENVIRON["ID"] } $0 == "# END deepsite " id { exit } b { print } $0 == "# BEGIN deepsite " id { b = 1 }' <"$2" | sha256sum)
        probe_seen "$1" "\"exists\":true,\"present\":true,\"sha256\":\"${probe_sum%% *}\""
    else
        probe_seen "$1" '"exists":true,"present":false'
    fi
}

# --- mounts and kernel ----------------------------------------------------------------------------------------------

# probe_mount N PATH: mounted (with source, fstype), fstab (null, or source, fstype, options)
probe_mount() {
    probe_counted
    if [ ! -r /proc/self/mountinfo ]; then probe_unknown "$1" "/proc is not mounted"; return; fi
    { cat /proc/self/mountinfo; echo '#fstab'; cat /etc/fstab 2>/dev/null; } | N=$1 AT=$2 awk "$probe_awk"'
        BEGIN { at = ENVIRON["AT"]; gsub(/ /, "\\040", at) }
        $0 == "#fstab" { fstab = 1; next }
        !fstab && $5 == at { for (i = 6; i < NF; i++) if ($i == "-") { type = $(i + 1); source = $(i + 2) }; mounted = 1 }
        fstab && $1 !~ /^#/ && $2 == at { line = "{\"source\":" json($1) ",\"fstype\":" json($3) ",\"options\":" json($4 == "" ? "defaults" : $4) "}" }
        END {
            seen(ENVIRON["N"], "\"mounted\":" bool(mounted) (mounted ? ",\"source\":" json(source) ",\"fstype\":" json(type) : "") \
                ",\"fstab\":" (line == "" ? "null" : line))
        }'
}

# probe_holds FILE LINE: true or false: the file has exactly this line
probe_holds() { if grep -qsxF -e "$2" -- "$1"; then printf true; else printf false; fi; }

# probe_kernel N WHAT NAME [VALUE]: present (the argument is on the running kernel's command line, the module is loaded, the sysctl
# exists), value of a sysctl, configured (the drop-in that the contract module writes is there: it holds after the next boot)
probe_kernel() {
    probe_counted
    probe_slug=$(printf '%s' "$3" | tr -c 'A-Za-z0-9_.-' '_')
    case $2 in
        argument)
            probe_argument=$3${4:+=$4}
            if [ ! -r /proc/cmdline ]; then probe_unknown "$1" "/proc is not mounted"; return; fi
            probe_running=false
            if tr ' ' '\n' </proc/cmdline | grep -qxF -e "$probe_argument"; then probe_running=true; fi
            # shellcheck disable=SC2016
            probe_seen "$1" "\"present\":$probe_running,\"configured\":$(probe_holds "/etc/default/grub.d/60-deepsite-$probe_slug.cfg" \
                'GRUB_CMDLINE_LINUX="$GRUB_CMDLINE_LINUX '"$probe_argument"'"')" ;;
        module)
            # Modules are called with - or _; the kernel lists them with _. One that is built in has no line in /proc/modules.
            probe_module=$(printf '%s' "$3" | tr - _)
            probe_loaded=false
            if [ -d "/sys/module/$probe_module" ]; then
                probe_loaded=true
            elif grep -qs -e "/$3\.ko" -e "/$probe_module\.ko" "/lib/modules/$(uname -r)/modules.builtin"; then
                probe_loaded=true
            fi
            probe_seen "$1" "\"present\":$probe_loaded,\"configured\":$(probe_holds "/etc/modules-load.d/60-deepsite-$probe_slug.conf" "$3")" ;;
        sysctl)
            probe_value=null
            probe_present=false
            probe_key=/proc/sys/$(printf '%s' "$3" | tr . /)
            if [ -r "$probe_key" ]; then
                probe_value=$(tr -s '\t' ' ' <"$probe_key") && probe_value=$(probe_json "$probe_value") && probe_present=true
            elif [ -e "$probe_key" ]; then
                probe_unknown "$1" "sysctl $3 cannot be read"; return
            fi
            probe_seen "$1" "\"present\":$probe_present,\"value\":$probe_value,\"configured\":$(probe_holds "/etc/sysctl.d/60-deepsite-$probe_slug.conf" "$3 = ${4-}")" ;;
        *) probe_unknown "$1" "kernel item of an unknown kind: $2" ;;
    esac
}

# --- commands -------------------------------------------------------------------------------------------------------

# probe_bounded ARGV...: runs the command without input, errors thrown away, at most probe_time_limit seconds (then 124)
probe_bounded() {
    if probe_has timeout; then
        LC_ALL=C.UTF-8 timeout -k 5 "$probe_time_limit" "$@" </dev/null 2>/dev/null
    else
        (LC_ALL=C.UTF-8; exec "$@") </dev/null 2>/dev/null
    fi
}

# probe_probe N ARGV...: rc (127: no such command), stdout (at most 4 KiB)
probe_probe() {
    probe_counted
    probe_n=$1
    shift
    printf '{"n":%s,"seen":{"stdout":' "$probe_n"
    # The command's own code comes back on descriptor 3, past the pipe that cuts and escapes what it says.
    probe_rc=$({ { probe_bounded "$@" 3>&- 4>&-; echo $? >&3; } | head -c "$probe_output_limit" | tr -d '\000' |
        awk "$probe_awk"'{ s = s (NR > 1 ? "\n" : "") $0 } END { printf "%s", json(s) }' >&4; } 3>&1)
    printf ',"rc":%s}}\n' "$probe_rc"
} 4>&1

# probe_done N ARGV...: rc of an action's `done` command (0: done); such commands wait for daemons more than they work, so they
# run beside all else
probe_done() {
    probe_counted
    probe_n=$1
    shift
    probe_bounded "$@" >/dev/null &
    probe_jobs="$probe_jobs $probe_n:$!"
}

probe_flush_done() {
    for probe_job in $probe_jobs; do
        probe_rc=0
        wait "${probe_job#*:}" || probe_rc=$?
        probe_seen "${probe_job%%:*}" "\"rc\":$probe_rc"
    done
}

# --- facts ----------------------------------------------------------------------------------------------------------

# probe_container: lxc, docker, ... or nothing
probe_container() {
    if [ -s /run/systemd/container ]; then
        head -n 1 /run/systemd/container
    elif { tr '\000' '\n' </proc/1/environ; } 2>/dev/null | grep -q '^container='; then
        tr '\000' '\n' </proc/1/environ | sed -n 's/^container=//p' | head -n 1
    elif [ -e /.dockerenv ]; then
        echo docker
    elif [ -e /run/.containerenv ]; then
        echo podman
    fi
}

# probe_facts N: os {id, version, codename}, cpus, memory_mib, hostname, arch, kernel, cmdline, boot_id, container (null: none), uid, time, python3
probe_facts() {
    probe_counted
    {
        cat /etc/os-release 2>/dev/null || cat /usr/lib/os-release 2>/dev/null
        printf '#memory\n'
        cat /proc/meminfo 2>/dev/null
    } | N=$1 CPUS=$(nproc 2>/dev/null) HOST=$(uname -n) ARCH=$(uname -m) KERNEL=$(uname -r) CMDLINE=$(cat /proc/cmdline 2>/dev/null) \
        BOOT=$(cat /proc/sys/kernel/random/boot_id 2>/dev/null) CONTAINER=$(probe_container) ME=$(id -u) TIME=$(date +%s) \
        PYTHON=$(command -v python3) awk "$probe_awk"'
        function text(s) { return s == "" ? "null" : json(s) }
        $0 == "#memory" { memory = 1; next }
        memory && /^MemTotal:/ { mib = int($2 / 1024) }
        !memory {
            equal = index($0, "=")
            value = substr($0, equal + 1)
            if (value ~ /^".*"$/ || value ~ /^\047.*\047$/) value = substr(value, 2, length(value) - 2)
            os[substr($0, 1, equal - 1)] = value
        }
        END {
            seen(ENVIRON["N"], "\"os\":{\"id\":" text(os["ID"]) ",\"version\":" text(os["VERSION_ID"]) ",\"codename\":" text(os["VERSION_CODENAME"]) "}" \
                ",\"cpus\":" (ENVIRON["CPUS"] == "" ? "null" : ENVIRON["CPUS"]) ",\"memory_mib\":" (mib ? mib : "null") ",\"hostname\":" text(ENVIRON["HOST"]) \
                ",\"arch\":" text(ENVIRON["ARCH"]) ",\"kernel\":" text(ENVIRON["KERNEL"]) ",\"cmdline\":" text(ENVIRON["CMDLINE"]) \
                ",\"boot_id\":" text(ENVIRON["BOOT"]) ",\"container\":" text(ENVIRON["CONTAINER"]) ",\"uid\":" ENVIRON["ME"] \
                ",\"time\":" ENVIRON["TIME"] ",\"python3\":" bool(ENVIRON["PYTHON"] != ""))
        }'
}

# --- the PCI bus ----------------------------------------------------------------------------------------------------

# probe_bus N: functions ["<address> <vendor> <device> <class>"], groups of the IOMMU ["<group> <address>"], needs ["route|disk|console
# <address>"] for what the host itself uses, virtual ["<address> <most>"] for cards with SR-IOV, iommu (the firmware's table that describes one; null: none)
probe_bus() {
    probe_counted
    if [ ! -d /sys/bus/pci/devices ]; then probe_unknown "$1" "there is no PCI bus"; return; fi
    {
        for probe_at in /sys/bus/pci/devices/*; do
            # A virtual function comes and goes with its card's setting.
            [ ! -e "$probe_at/physfn" ] || continue
            { read -r probe_vendor <"$probe_at/vendor" && read -r probe_device <"$probe_at/device" && read -r probe_class <"$probe_at/class"; } 2>/dev/null || continue
            printf 'functions %s %s %s %s\n' "${probe_at##*/}" "$probe_vendor" "$probe_device" "$probe_class"
            if { read -r probe_most <"$probe_at/sriov_totalvfs"; } 2>/dev/null; then printf 'virtual %s %s\n' "${probe_at##*/}" "$probe_most"; fi
        done
        for probe_at in /sys/kernel/iommu_groups/*/devices/*; do
            [ -e "$probe_at" ] || continue
            probe_group=${probe_at#/sys/kernel/iommu_groups/}
            printf 'groups %s %s\n' "${probe_group%%/*}" "${probe_at##*/}"
        done
        for probe_at in /sys/firmware/acpi/tables/DMAR /sys/firmware/acpi/tables/IVRS; do
            [ ! -e "$probe_at" ] || printf 'iommu %s\n' "${probe_at##*/}"
        done
        # The way out, by IPv4 and by IPv6; a bridge, a bond or a VLAN leads to the cards below it.
        { awk '$2 == "00000000" { print $1 }' /proc/net/route; awk '$1 ~ /^0+$/ && $2 == "00" && $NF != "lo" { print $NF }' /proc/net/ipv6_route; } 2>/dev/null |
            sort -u | while read -r probe_name; do probe_below route "/sys/class/net/$probe_name" lower_; done
        awk '{ for (i = 7; i < NF; i++) if ($i == "-") { if ($(i + 2) ~ /^\/dev\//) print $(i + 2); break } }' /proc/self/mountinfo 2>/dev/null |
            sort -u | while read -r probe_name; do
                probe_name=$(readlink -f -- "$probe_name") && probe_below disk "/sys/class/block/${probe_name##*/}" slaves/
            done
        # The card that the firmware drew on, where the kernel draws on one.
        if grep -qsw tty0 /sys/class/tty/console/active; then
            for probe_at in /sys/bus/pci/devices/*/boot_vga; do
                if grep -qsx 1 "$probe_at"; then probe_at=${probe_at%/boot_vga}; printf 'needs console %s\n' "${probe_at##*/}"; fi
            done
        fi
    } | N=$1 awk "$probe_awk"'
        $1 == "iommu" { iommu = $2; next }
        { kind = $1; sub(/^[a-z]+ /, ""); list[kind] = list[kind] (count[kind]++ ? "," : "") json($0) }
        END { seen(ENVIRON["N"], "\"functions\":[" list["functions"] "],\"groups\":[" list["groups"] "],\"needs\":[" list["needs"] "],\"virtual\":[" list["virtual"] "],\"iommu\":" (iommu ? json(iommu) : "null")) }'
}

# probe_below WHAT FOLDER PREFIX: "needs WHAT <address>" of the PCI device that a network card or a disk of the kernel is; for one
# that is built on others (FOLDER/PREFIX*), of those
probe_below() {
    for probe_lower in "$2/$3"*; do
        [ ! -e "$probe_lower" ] || (probe_below "$1" "$(readlink -f -- "$probe_lower")" "$3")
    done
    # Of a path such as pci0000:00/0000:00:05.0/0000:01:00.0/net/eth0 the last address is the device, those before lead there.
    readlink -f -- "$2" | tr '/' '\n' | awk -v what="$1" '/^[0-9a-f]+:[0-9a-f][0-9a-f]:[01][0-9a-f]\.[0-7]$/ { at = $0 } END { if (at) print "needs " what " " at }'
}
