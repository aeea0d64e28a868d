#!/bin/sh
# Acceptance tests of whose jobs the partitions of a Slurm cluster take. Run as root on the controller.
# Prints one line per check:  CHECK <id> <passed|failed|busy> <node or -> <seconds> <message>, separated by tabs.
# Exit status 0: all checks ran, whatever their results. Environment:
# DEEPSITE_PATIENCE  longest wait for one test job, in seconds
set -u
export LC_ALL=C
cd /

patience=${DEEPSITE_PATIENCE:-120}
token=deepsite-verify-$$-$(od -An -N8 -tx1 /dev/urandom | tr -d ' \n')
work=$(mktemp -d -p /run deepsite-verify.XXXXXX) || exit 1

clean() {
  trap '' EXIT HUP INT TERM
  scancel --quiet --jobname="$token" 2>/dev/null
  rm -rf "$work"
}
trap clean EXIT
trap 'exit 1' HUP INT TERM

now() { date +%s%3N; }

check() { # status message
  took=$(($(now) - started))
  printf 'CHECK\tpartition-access\t%s\t-\t%d.%03d\t%s\n' "$1" $((took / 1000)) $((took % 1000)) "$(printf %s "$2" | tr '\t\n' '  ')"
}

ask() { # option…: a job that asks little
  runuser -u "$user" -- env -i PATH=/usr/local/bin:/usr/bin:/bin LC_ALL=C HOME=/ USER="$user" LOGNAME="$user" timeout 20 \
    sbatch --parsable --chdir=/ --output=/dev/null --job-name="$token" --account="$account" --qos="$qos" --partition="$partition" \
    --ntasks=1 --mem=32 --time=1 --wrap=true "$@" 2>"$work/err"
}

# Slurm takes a job that the partition will never run, and says so once it has looked at it.
refused() { # job
  asked=$(now)
  while :; do
    state=$(squeue --noheader --all --jobs="$1" --format='%T %r' 2>/dev/null)
    case $state in
    *NotAllowed* | *'not permitted'*) return 0 ;;
    '' | RUNNING* | COMPLET*) return 1 ;;
    esac
    [ $(($(now) - asked)) -lt $((patience * 1000)) ] || return 1
    sleep 0.2
  done
}

job() { # partition user account qos what
  partition=$1
  user=$2
  account=$3
  qos=$4
  started=$(now)
  who="$partition: $user, account $account, QOS $qos"
  state=''
  if [ "$5" = taken ]; then
    # Held, so that it never runs.
    if ask --hold >"$work/job"; then check passed "$who: admitted"; else check failed "$who: $(tail -n 1 "$work/err")"; fi
  elif ! ask >"$work/job"; then
    if grep -q -i -e 'not permitted' -e 'invalid qos' -e 'invalid account' -e 'access/permission' "$work/err"; then
      check passed "$who: refused for the $5"
    else
      check failed "$who: refused for another reason: $(tail -n 1 "$work/err")"
    fi
  elif refused "$(cat "$work/job")"; then
    check passed "$who: refused for the $5 (${state#* })"
  else
    check failed "$who: not refused, ${state:-it ran}"
  fi
  scancel --quiet --jobname="$token" 2>/dev/null
}

# The proofs of limits run beside these, and count jobs of the same users.
exec 7</etc/slurm/slurm.conf
flock 7
job 'batch' 'ann' 'physics' 'normal' 'taken'
job 'batch' 'ann' 'physics' 'urgent' 'QOS'
job 'lab' 'ann' 'physics' 'normal' 'taken'
job 'lab' 'bob' 'arts' 'normal' 'account'
job 'lab' 'ann' 'physics' 'urgent' 'QOS'
job 'rest' 'bob' 'arts' 'normal' 'taken'
job 'rest' 'ann' 'physics' 'normal' 'account'
exit 0
