# shellcheck shell=bash
# Common functions of the testbed's scripts. Sourced; the sourcing script has `set -euo pipefail`.

say() { printf '%s\n' "$*" >&2; }

die() {
    printf '%s: %s\n' "${0##*/}" "$*" >&2
    exit 1
}

# True when systemd manages this machine's services.
has_systemd() { [ -d /run/systemd/system ]; }

# Prints those of the given packages that are not installed.
missing_packages() {
    local package
    for package in "$@"; do
        [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || printf '%s\n' "$package"
    done
}

# Installs the missing ones of the given packages. Waits for another apt; finishes an interrupted installation.
install_packages() {
    local missing
    mapfile -t missing < <(missing_packages "$@")
    if [ ${#missing[@]} -eq 0 ]; then return 0; fi
    [ "$(id -u)" -eq 0 ] || die "needs root to install: ${missing[*]}"
    say "installing ${missing[*]}"
    local options=(-o DPkg::Lock::Timeout=900 -o Acquire::Retries=3 -o Dpkg::Use-Pty=0 -q -y)
    export DEBIAN_FRONTEND=noninteractive
    # A minimal system has no manual pages, and Java's packages fail if their alternatives cannot link one.
    mkdir -p /usr/share/man/man1
    if [ -n "$(dpkg --audit)" ]; then
        flock -w 900 /var/lib/dpkg/lock dpkg --force-confold --configure -a >&2
        apt-get "${options[@]}" -f install >&2
    fi
    if [ -z "$(find /var/lib/apt/lists -maxdepth 1 -name '*Packages*' -mmin -1440 2>/dev/null | head -n 1)" ]; then
        apt-get "${options[@]}" update >&2
    fi
    apt-get "${options[@]}" --no-install-recommends install "${missing[@]}" >&2 || {
        # An index from yesterday may list versions that the mirror no longer has.
        apt-get "${options[@]}" update >&2
        apt-get "${options[@]}" --no-install-recommends install "${missing[@]}" >&2
    }
}

# Prints where this machine's apt has the archive with label $1 (Debian or Debian-Security), without the last slash; nothing without one.
debian_mirror() {
    local found
    # shellcheck disable=SC2016 # apt's own format language
    found=$(apt-get indextargets --format '$(LABEL)|$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' | sed -n "s/^$1|//p" | sed -n 1p)
    printf '%s' "${found%/}"
}

# Runs a command that installs packages without starting their services: without_starting COMMAND…
# Keeps a machine's own policy; removes the policy of a killed run.
without_starting() {
    local policy=/usr/sbin/policy-rc.d status=0
    if [ -e "$policy" ] && ! grep 'deepsite testbed' "$policy" >/dev/null; then
        "$@"
        return
    fi
    printf '#!/bin/sh\n# deepsite testbed: nothing starts while its packages are installed\nexit 101\n' >"$policy"
    chmod 755 "$policy"
    "$@" || status=$?
    rm -f "$policy"
    return "$status"
}

# Makes a root file system of Debian, from the mirror of this machine and with its extra certificates:
# debian_root RELEASE FOLDER PACKAGE…
debian_root() {
    local release=$1 into=$2 mirror
    shift 2
    # shellcheck disable=SC2016 # apt's own format language
    mirror=$(apt-get indextargets --format '$(LABEL)|$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' | sed -n 's/^Debian|//p' | sed -n 1p)
    mkdir -p "${into%/*}"
    # Java's packages fail without the folder of manual pages.
    # shellcheck disable=SC2016 # $1 is the hook's own argument.
    mmdebstrap --quiet --mode=root --variant=minbase --include="$(tr ' ' , <<<"ca-certificates $*")" --format=directory \
        --aptopt='Acquire::Retries "3"' --dpkgopt=force-unsafe-io --setup-hook='mkdir -p "$1/usr/share/man/man1"' \
        --dpkgopt='path-exclude=/usr/share/man/man*/*' --dpkgopt='path-exclude=/usr/share/doc/*' --keyring=/usr/share/keyrings/debian-archive-keyring.gpg \
        "$release" "$into" "deb $mirror $release main" "deb ${mirror%/} $release-updates main"
    cp -a /usr/local/share/ca-certificates "$into/usr/local/share/"
    chroot "$into" update-ca-certificates >/dev/null 2>&1
}

# Waits for a certain event, however busy the machine: wait_for COMMAND…
# The limit is far above any load. It ends the wait for an event that never comes, and names it.
wait_for() {
    local begun=$SECONDS
    until "$@"; do
        if [ $((SECONDS - begun)) -ge "${TESTBED_PATIENCE:-900}" ]; then
            say "waited $((SECONDS - begun)) s without success for: $*"
            return 1
        fi
        sleep 0.2
    done
}

# Waits for a limited time before the caller continues without it: within SECONDS COMMAND…
within() {
    local deadline=$((SECONDS + $1))
    shift
    until "$@"; do
        if [ "$SECONDS" -ge "$deadline" ]; then return 1; fi
        sleep 0.2
    done
}

# Prints the processes that are LXD daemons on the folder $1.
lxd_daemons() {
    local pid
    for pid in $(pgrep -x lxd || true); do
        if ! is_process "$pid" 'lxd --group'; then continue; fi
        if grep -qzx "LXD_DIR=$1" "/proc/$pid/environ" 2>/dev/null ||
            { [ "$1" = /var/lib/lxd ] && ! grep -qz '^LXD_DIR=' "/proc/$pid/environ" 2>/dev/null; }; then
            printf '%s\n' "$pid"
        fi
    done
}

# Ends the remains of an LXD on the folder $1 whose daemon is gone: containers, dnsmasq, the bridge $2, loop devices.
end_lost_lxd() {
    local lxd_folder=$1 lxd_bridge=$2 pid child port file
    for pid in $(pgrep -f "^\[lxc monitor\] $lxd_folder/containers " || true); do
        say "ending the container of a lost LXD: $(tr '\0' ' ' <"/proc/$pid/cmdline")"
        for child in $(pgrep -P "$pid" || true); do kill -9 "$child"; done
        within 10 test ! -e "/proc/$pid" || kill -9 "$pid"
    done
    for pid in $(pgrep -x dnsmasq || true); do
        if is_process "$pid" "--dhcp-leasefile=$lxd_folder/networks/"; then kill "$pid"; fi
    done
    if [ -d "/sys/class/net/$lxd_bridge/bridge" ] && [ -d "$lxd_folder/networks/$lxd_bridge" ]; then
        say "removing the bridge $lxd_bridge of a lost LXD"
        # Its containers are gone; their veth ends on the host may still exist.
        for port in "/sys/class/net/$lxd_bridge/brif"/veth*; do ip link delete "${port##*/}" 2>/dev/null || true; done
        ip link delete "$lxd_bridge"
    fi
    for file in "$lxd_folder"/storage-pools/*; do
        if mountpoint -q "$file"; then
            say "unmounting the pool $file of a lost LXD"
            umount -l "$file"
        fi
    done
    for file in "$lxd_folder"/disks/*.img; do
        if [ -e "$file" ]; then losetup -j "$file" | cut -d: -f1 | xargs -r -n1 losetup -d; fi
    done
}

# True if process $1 lives and its command line contains $2: another process may have a recorded pid by now.
is_process() {
    [ -n "$1" ] && [ -r "/proc/$1/cmdline" ] && tr '\0' ' ' <"/proc/$1/cmdline" 2>/dev/null | grep -e "$2" >/dev/null
}
