#!/bin/sh
# Acceptance tests of the users of a directory on a Slurm cluster. Run as root on the controller.
# Prints one line per check:  CHECK <id> <passed|failed|busy> <node or -> <seconds> <message>, separated by tabs.
# Exit status 0: all checks ran, whatever their results. Environment:
# DEEPSITE_PATIENCE  longest wait for one test job, in seconds
set -u
export LC_ALL=C
cd /

user='deepsite-verify'
patience=${DEEPSITE_PATIENCE:-120}
token=$user-$$-$(od -An -N8 -tx1 /dev/urandom | tr -d ' \n')
work=$(mktemp -d -p /run deepsite-verify.XXXXXX) || exit 1
tool=/usr/local/sbin/deepsite-directory

now() { date +%s%3N; }

check() { # id status node start message
  took=$(($(now) - $4))
  printf 'CHECK\t%s\t%s\t%s\t%d.%03d\t%s\n' "$1" "$2" "$3" $((took / 1000)) $((took % 1000)) "$(printf %s "$5" | tr '\t\n' '  ')"
}

clean() {
  trap '' EXIT HUP INT TERM
  scancel --quiet --jobname="$token" 2>/dev/null
  rm -rf "$work"
}
trap clean EXIT
trap 'exit 1' HUP INT TERM

# Jobs inherit nothing from root's environment, and end when the time is over.
job() { # user, words for srun: its output is in $work/out
  as=$1
  shift
  timeout --kill-after=10 "$patience" runuser -u "$as" -- env -i PATH=/usr/local/bin:/usr/bin:/bin LC_ALL=C srun --quiet --chdir=/ \
    --job-name="$token" --time=5 --mem=32 --ntasks=1 "$@" </dev/null >"$work/out" 2>"$work/err"
}

# The result of a job that failed: busy if it only waited for others' jobs, or for the end of a reservation.
result() { # id node start message
  if [ $(($(now) - $3)) -ge $((patience * 1000)) ] &&
    { squeue --noheader --all --states=running,completing --format=%j | grep -qvx "$token" || scontrol --oneliner show reservation | grep -q 'State=ACTIVE'; }; then
    check "$1" busy "$2" "$3" "the nodes run jobs of others, or are reserved"
    return
  fi
  check "$1" failed "$2" "$3" "$4: $(tail -c 300 "$work/err")"
}

# What a machine finds for itself.
found() { # node start
  while IFS="$(printf '\t')" read -r id outcome message; do
    check "$id" "$outcome" "$1" "$2" "$message"
  done <"$work/out"
}

start=$(now)
if $tool prove >"$work/out" 2>"$work/err"; then
  found - "$start"
else
  check directory-answers failed - "$start" "the controller could not try: $(tail -c 300 "$work/err")"
fi
for node in node-1 node-2; do
  start=$(now)
  if job root --partition="$user" --nodelist="$node" $tool prove; then
    found "$node" "$start"
  else
    result directory-answers "$node" "$start" "the node could not try"
  fi
done

# A member of each group that has an account runs a job, under the account and partition that a job gets without naming one.
for group in physics Chem_2; do
  start=$(now)
  if ! $tool members "$group" >"$work/members" 2>"$work/err"; then
    check "directory-job-$group" failed - "$start" "who is in $group is not known: $(cut -f 3 "$work/err" | tail -c 300)"
    continue
  fi
  member=$(head -n 1 "$work/members")
  if [ -z "$member" ]; then
    check "directory-job-$group" passed - "$start" "nobody is in $group, so nobody ran a job"
  elif ! job "$member" id -u; then
    result "directory-job-$group" - "$start" "$member could not run a job"
  elif [ "$(cat "$work/out")" = "$(id -u "$member")" ]; then
    check "directory-job-$group" passed - "$start" "$member ran a job"
  else
    check "directory-job-$group" failed - "$start" "a job of $member ran with the uid $(head -c 100 "$work/out"), not $(id -u "$member")"
  fi
done
start=$(now)
unit=deepsite-slurm-members
if ! systemctl is-active --quiet $unit.timer; then
  check directory-members failed - "$start" "$unit.timer does not run: who joins a group gets no account before the next apply"
elif [ "$(systemctl show --property=Result --value $unit.service)" = success ]; then
  check directory-members passed - "$start" "who joins or leaves a group is followed: $(systemctl show --property=ExecMainExitTimestamp $unit.service)"
else
  check directory-members failed - "$start" "the last look at the groups failed: $(journalctl --quiet --unit=$unit.service --lines=1 --output=cat)"
fi
exit 0
