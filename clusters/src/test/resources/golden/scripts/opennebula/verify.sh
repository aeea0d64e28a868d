#!/bin/sh
# Acceptance tests of an OpenNebula cloud: hosts are monitored, the image exists, a virtual machine on each host answers and proves its
# identity, one sees each passed device, and an ordinary user gets none. Run as root on the front-end. Prints one line per check:
#   CHECK <id> <passed|failed|busy> <node or -> <seconds> <message>, separated by tabs.
# Exit status 0: all checks ran, whatever their results. Environment:
# DEEPSITE_PATIENCE  longest wait for one virtual machine, in seconds
# DEEPSITE_FRESH     hosts created or restarted in this apply; no other machines can fill them, so busy counts as failed
set -u
export LC_ALL=C
cd /

hosts='kvm-1 kvm-2 gpu-1'
image='debian-12'
network='private'
user='deepsite-verify'
patience=${DEEPSITE_PATIENCE:-120}
fresh=${DEEPSITE_FRESH:-}
settle=120
copying=$((patience * 5))

token=$(od -An -N6 -tx1 /dev/urandom | tr -d ' \n')
work=$(mktemp -d -p /run deepsite-verify.XXXXXX) || exit 1

one() { /usr/local/sbin/deepsite-opennebula "$@" 2>"$work/err"; }

now() { date +%s%3N; }

check() { # id status node start message
  took=$(($(now) - $4))
  printf 'CHECK\t%s\t%s\t%s\t%d.%03d\t%s\n' "$1" "$2" "$3" $((took / 1000)) $((took % 1000)) "$(printf %s "$5" | tr '\t\n' '  ')"
}

last_words() { tail -n 1 "$work/err"; }

clean() {
  trap '' EXIT HUP INT TERM
  cat "$work"/*.vm 2>/dev/null | while read -r number; do one end "$number"; done
  rm -rf "$work"
}
trap clean EXIT
trap 'exit 1' HUP INT TERM

# Retries a command until it succeeds or time runs out.
within() { # seconds command…
  end=$(($(date +%s) + $1))
  shift
  until "$@"; do
    [ "$(date +%s)" -lt "$end" ] || return 1
    sleep 0.5
  done
}

started=$(now)
if ! within 30 one answers; then
  check api failed - "$started" "$(last_words)"
  exit 0
fi
check api passed - "$started" 'oned answers'

monitored() { one host "$1" >"$work/$1.host" && [ "$(head -n 1 "$work/$1.host")" = MONITORED ]; }

started=$(now)
alive=''
for host in $hosts; do
  if within $settle monitored "$host"; then
    alive="$alive $host"
    check monitored passed "$host" "$started" 'oned monitors it'
  else
    check monitored failed "$host" "$started" "its state is $(head -n 1 "$work/$host.host"); /var/log/one/oned.log says why"
  fi
done

# OpenNebula copies an image after its creation; a large one from a slow source takes longer than a machine's start.
copied() { one image "$image" >"$work/image" && ! grep -q '^WAITING' "$work/image"; }

started=$(now)
within $copying copied || true
case $(cat "$work/image") in
READY*) check image passed - "$started" "machines can be created from $image" ;;
*)
  check image failed - "$started" "$(sed 's/^[A-Z]* //' "$work/image" | grep . || last_words); no machine was tried"
  alive=''
  ;;
esac

# A new machine's host key, and the key that may log in: SSH verifies the first connection, as to any machine.
context() { # name
  ssh-keygen -q -t ed25519 -N '' -C '' -f "$work/$1.login" && ssh-keygen -q -t ed25519 -N '' -C '' -f "$work/$1.identity" || return 1
  script=$({
    printf 'umask 077\nrm -f /etc/ssh/ssh_host_*\ncat >/etc/ssh/ssh_host_ed25519_key <<END\n'
    cat "$work/$1.identity"
    printf 'END\nsystemctl restart ssh sshd 2>/dev/null || service ssh restart || service sshd restart\n'
  } | base64 -w 0)
  printf '{"NETWORK": "YES", "SSH_PUBLIC_KEY": "%s", "START_SCRIPT_BASE64": "%s"}\n' "$(cut -d ' ' -f 1,2 "$work/$1.login.pub")" "$script" >"$work/$1.context"
}

begin() { # name host [device]
  context "$1" && one start "deepsite-verify-$1-$token" "$2" "$image" "$network" "$work/$1.context" ${3:+"$3"} >"$work/$1.vm"
}

inside() { # name command
  # shellcheck disable=SC2029 # the command is to be read on the other side
  ssh -i "$work/$1.login" -o IdentitiesOnly=yes -o BatchMode=yes -o StrictHostKeyChecking=yes -o "UserKnownHostsFile=$work/$1.known" \
    -o GlobalKnownHostsFile=/dev/null -o ConnectTimeout=5 -o LogLevel=ERROR "root@$(cut -d ' ' -f 2 "$work/$1.state")" "$2" 2>"$work/err" </dev/null
}

runs() {
  one vm "$(cat "$work/$1.vm")" >"$work/$1.state"
  case $(cat "$work/$1.state") in
  FAILED*) return 0 ;;
  RUNNING*) ;;
  *) return 1 ;;
  esac
  printf '%s %s\n' "$(cut -d ' ' -f 2 "$work/$1.state")" "$(cut -d ' ' -f 1,2 "$work/$1.identity.pub")" >"$work/$1.known"
  inside "$1" true
}

# Reports a machine's result: verdict ID NAME HOST START MESSAGE-WHEN-PASSED
verdict() {
  state=$(cat "$work/$2.state" 2>/dev/null)
  case $state in
  RUNNING*)
    if inside "$2" true; then
      check "$1" passed "$3" "$4" "$5"
      return 0
    fi
    check "$1" failed "$3" "$4" "a machine runs at ${state#RUNNING } but refuses the login: $(last_words)"
    ;;
  PENDING*)
    status=failed
    case " $fresh " in
    *" $3 "*) ;;
    *) case $state in *'annot dispatch'* | *'ot enough capacity'*) status=busy ;; esac ;;
    esac
    check "$1" $status "$3" "$4" "a machine has waited more than $patience s: ${state#PENDING }"
    ;;
  '') check "$1" failed "$3" "$4" "cannot create a machine: $(last_words)" ;;
  *) check "$1" failed "$3" "$4" "the machine did not start: ${state#* }" ;;
  esac
  return 1
}

started=$(now)
for host in $alive; do begin "$host" "$host" || true; done
for host in $alive; do
  [ ! -s "$work/$host.vm" ] || within "$patience" runs "$host"
  verdict vm "$host" "$host" "$started" 'a machine runs, answers and proves its identity'
  [ ! -s "$work/$host.vm" ] || one end "$(cat "$work/$host.vm")"
done

# shellcheck disable=SC2016 # the machine expands it
look='for device in /sys/bus/pci/devices/*; do echo "$(cat "$device/vendor") $(cat "$device/device")"; done'

# A passed device: as its host shows it, then as a machine sees it.
device() { # number host what
  started=$(now)
  case $3 in
  *:*:*) shown=$(awk -v want="$3" 'NR > 1 { split(want, w, ":"); split($2, s, ":"); if ((w[1] == "*" || w[1] == s[1]) && (w[2] == "*" || w[2] == s[2]) && (w[3] == "*" || w[3] == s[3])) print }' "$work/$2.host") ;;
  *) shown=$(awk -v want="$3" 'NR > 1 && $1 == want' "$work/$2.host") ;;
  esac
  if [ -z "$shown" ]; then
    check device failed "$2" "$started" "the host reports no $3: check that it is bound to vfio-pci, and that pci.conf includes it"
    return
  fi
  printf '%s\n' "$shown" | while read -r address kind state; do
    name=device-$1-$(printf %s "$address" | tr ':.' '--')
    if [ "$state" = taken ]; then
      check device busy "$2" "$started" "a machine uses $address ($kind)"
      continue
    fi
    begin "$name" "$2" "$address" || true
    [ ! -s "$work/$name.vm" ] || within "$patience" runs "$name"
    verdict device "$name" "$2" "$started" "a machine with $address runs" >"$work/$name.verdict"
    wanted=$(printf %s "$kind" | awk -F : '{ print "0x" $1 " 0x" $2 }')
    if ! grep -q '	passed	' "$work/$name.verdict"; then
      cat "$work/$name.verdict"
    elif ! inside "$name" "$look" >"$work/$name.seen"; then
      check device failed "$2" "$started" "a machine with $address does not report its devices: $(last_words)"
    elif grep -qxF "$wanted" "$work/$name.seen"; then
      check device passed "$2" "$started" "a machine sees $address ($kind)"
    else
      check device failed "$2" "$started" "a machine was given $address, but sees no device $kind"
    fi
    [ ! -s "$work/$name.vm" ] || one end "$(cat "$work/$name.vm")"
  done
}

case " $alive " in *' kvm-1 '*) device 1 'kvm-1' '10de:*:0302' ;; esac
case " $alive " in *' kvm-2 '*) device 2 'kvm-2' '10de:*:0302' ;; esac
case " $alive " in *' gpu-1 '*) device 3 'gpu-1' '3b:00.0' ;; esac

started=$(now)
if ! taken=$(one allowed "$user"); then
  check refused failed - "$started" "cannot test an ordinary user: $(last_words)"
elif [ -n "$taken" ]; then
  check refused failed - "$started" "an ordinary user may take devices of hosts with $(printf %s "$taken" | tr '\n' ' ')"
else
  check refused passed - "$started" 'oned refuses an ordinary user every way to a device'
fi
