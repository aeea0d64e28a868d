#!/bin/sh
# Acceptance of a host of LXD: the daemon answers, its pool is the wanted one, a new instance lies in it and keeps a disk limit, Nova
# runs with its options where it is there. Run as root on that host. No instance is started: that takes an image, and the host need not have one. Prints one line per check:
#   CHECK <id> <passed|failed|busy> <node or -> <seconds> <message>, separated by tabs.
# Exit status 0 means that all checks were made, whatever they found.
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

# The first of LXD's words of a file: the error of a command.
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
  check pool passed "$started" "the pool $pool is of driver $driver"
else
  check pool failed "$started" "the pool $pool is ${seen:-not there}, and should be of driver $driver"
fi

started=$(now)
set --
if ! lxc init --quiet --empty "$name" "$@" >/dev/null 2>"$work/err"; then
  check instance failed "$started" "no instance can be made: $(words "$work/err")"
  exit 0
fi
lies=$(lxc query "/1.0/instances/$name" | sed -n 's/^.*"pool": "\(.*\)",*$/\1/p' | head -n 1)
if [ "$lies" != "$pool" ]; then
  check instance failed "$started" "a new instance lies in the pool ${lies:-none}, and not in $pool"
elif ! lxc config device override "$name" root size=64MiB >/dev/null 2>"$work/err"; then
  check instance failed "$started" "an instance cannot be given a disk of 64 MiB: $(words "$work/err")"
else
  check instance passed "$started" "a new instance lies in the pool $pool, with a disk of 64 MiB"
fi

started=$(now)
if card=$(deepsite-lxd-gpus give "$name" 1 2>"$work/err"); then
  check gpu passed "$started" "a new instance gets the card $card alone"
elif grep -q '^FAULT	DS3245' "$work/err"; then
  check gpu busy "$started" "all 2 cards are with other instances"
else
  check gpu failed "$started" "no card can be given to an instance: $(words "$work/err" | cut -f 3)"
fi
