#!/bin/sh
# Acceptance tests of an LXD host: the daemon answers, its pool has the right driver, a new instance is created in that pool with a disk
# limit, and Nova, if present, runs with its options. Run as root on that host. Starts no instance, since the host may have no image.
# Prints one line per check:
#   CHECK <id> <passed|failed|busy> <node or -> <seconds> <message>, separated by tabs.
# Exit status 0: all checks ran, whatever their results.
set -u
export LC_ALL=C
PATH=$PATH:/snap/bin
cd /

host=metal
pool=nova
driver=btrfs

name=deepsite-verify-$(od -An -N4 -tx1 /dev/urandom | tr -d ' \n')
work=$(mktemp -d -p /run deepsite-verify.XXXXXX) || exit 1

now() { date +%s%3N; }

check() { # id status start message
  took=$(($(now) - $3))
  printf 'CHECK\t%s\t%s\t%s\t%d.%03d\t%s\n' "$1" "$2" "$host" $((took / 1000)) $((took % 1000)) "$(printf %s "$4" | tr '\t\n' '  ')"
}

clean() {
  trap '' EXIT HUP INT TERM
  lxc delete --force "$name" >/dev/null 2>&1
  rm -rf "$work"
}
trap clean EXIT
trap 'exit 1' HUP INT TERM

# The first line that LXD's client printed to a file, as one error.
words() { tail -n 1 "$1"; }

started=$(now)
if lxc query /1.0 >"$work/server" 2>"$work/err"; then
  version=$(sed -n 's/^.*"server_version": "\(.*\)",*$/\1/p' "$work/server")
  check daemon passed "$started" "LXD $version answers"
else
  check daemon failed "$started" "LXD does not answer: $(words "$work/err")"
  exit 0
fi

started=$(now)
seen=$(lxc storage show "$pool" 2>"$work/err" | sed -n 's/^driver: //p')
if [ "$seen" = "$driver" ]; then
  check pool passed "$started" "the pool $pool has driver $driver"
else
  check pool failed "$started" "the driver of the pool $pool is ${seen:-unknown (no such pool)}, not $driver"
fi

started=$(now)
set --
if ! lxc init --quiet --empty "$name" "$@" >/dev/null 2>"$work/err"; then
  check instance failed "$started" "cannot create an instance: $(words "$work/err")"
  exit 0
fi
lies=$(lxc query "/1.0/instances/$name" | sed -n 's/^.*"pool": "\(.*\)",*$/\1/p' | head -n 1)
if [ "$lies" != "$pool" ]; then
  check instance failed "$started" "a new instance is in the pool ${lies:-none}, not in $pool"
elif ! lxc config device override "$name" root size=64MiB >/dev/null 2>"$work/err"; then
  check instance failed "$started" "cannot give an instance a disk of 64 MiB: $(words "$work/err")"
else
  check instance passed "$started" "a new instance is in the pool $pool, with a disk of 64 MiB"
fi

started=$(now)
if card=$(deepsite-lxd-gpus give "$name" 1 2>"$work/err"); then
  check gpu passed "$started" "a new instance has the card $card to itself"
elif grep -q '^FAULT	DS3245' "$work/err"; then
  check gpu busy "$started" "other instances have all 2 cards"
else
  check gpu failed "$started" "cannot give an instance a card: $(words "$work/err" | cut -f 3)"
fi
