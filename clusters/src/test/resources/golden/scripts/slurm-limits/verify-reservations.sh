#!/bin/sh
# Acceptance tests of the reservations of a Slurm cluster. Run as root on the controller.
# Prints one line per check:  CHECK <id> <passed|failed|busy> <node or -> <seconds> <message>, separated by tabs.
# Exit status 0: all checks ran, whatever their results.
set -u
export LC_ALL=C
cd /

outsider='deepsite-verify'
work=$(mktemp -d -p /run deepsite-verify.XXXXXX) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

now() { date +%s%3N; }

check() { # id status start message
  took=$(($(now) - $3))
  printf 'CHECK\t%s\t%s\t-\t%d.%03d\t%s\n' "$1" "$2" $((took / 1000)) $((took % 1000)) "$(printf %s "$4" | tr '\t\n' '  ')"
}

started=$(now)
if /usr/local/sbin/deepsite-slurm-reservations check >"$work/due" 2>&1; then
  check reservations passed "$started" 'they are as site.yaml says'
else
  check reservations failed "$started" "$(head -n 3 "$work/due")"
fi

ask() { # user reservation: a held job in it, which is cancelled at once
  runuser -u "$1" -- env -i PATH=/usr/local/bin:/usr/bin:/bin LC_ALL=C HOME=/ USER="$1" LOGNAME="$1" timeout 20 \
    sbatch --parsable --hold --chdir=/ --output=/dev/null --time=1 --mem=32 --reservation="$2" --wrap=true 2>"$work/err" </dev/null >"$work/job" || return 1
  scancel --quiet "$(cut -d';' -f1 "$work/job")"
}

admits() { # reservation user
  started=$(now)
  if ! scontrol show reservation "$1" >/dev/null 2>&1; then
    check reservation passed "$started" "$1 is over"
  elif ask "$outsider" "$1"; then
    check reservation failed "$started" "$1 takes a job of $outsider, who is not in it"
  elif [ -z "$2" ]; then
    check reservation passed "$started" "$1 takes no job"
  elif ask "$2" "$1"; then
    check reservation passed "$started" "$1 takes a job of $2, and none of $outsider"
  else
    check reservation failed "$started" "$1 refuses a job of $2: $(tail -n 1 "$work/err")"
  fi
}

admits 'course' 'alice'
admits 'work' ''
