#!/bin/sh
# Acceptance tests of a Slurm cluster: an unprivileged user's jobs on every node. Run as root on the controller.
# Prints one line per check:  CHECK <id> <passed|failed|busy> <node or -> <seconds> <message>, separated by tabs.
# Exit status 0: all checks ran, whatever their results. Environment:
# DEEPSITE_PATIENCE  longest wait for one test job, in seconds
# DEEPSITE_FRESH     hosts created or restarted in this apply; no other job can fill them, so busy counts as failed
set -u
export LC_ALL=C
cd /

user='deepsite-verify'
partition=$user
patience=${DEEPSITE_PATIENCE:-120}
fresh=${DEEPSITE_FRESH:-}
nodes='node-1 node-2'
partitions='batch'
accounting='yes'
shared_home='yes'
settle=60

run=$user-$$
token=$run-$(od -An -N8 -tx1 /dev/urandom | tr -d ' \n')
# Not below /tmp, which a starting machine may still be emptying.
work=$(mktemp -d -p /run deepsite-verify.XXXXXX) || exit 1
home=''

now() { date +%s%3N; }

check() { # id status node start message
  took=$(($(now) - $4))
  printf 'CHECK\t%s\t%s\t%s\t%d.%03d\t%s\n' "$1" "$2" "$3" $((took / 1000)) $((took % 1000)) "$(printf %s "$5" | tr '\t\n' '  ')"
}

# Jobs inherit nothing from root's environment.
as_user() {
  runuser -u "$user" -- env -i PATH=/usr/local/bin:/usr/bin:/bin LC_ALL=C HOME="/home/$user" USER="$user" LOGNAME="$user" "$@"
}

clean() {
  trap '' EXIT HUP INT TERM
  scancel --quiet --user="$user" --jobname="$run" 2>/dev/null
  scancel --quiet --jobname="$token" 2>/dev/null
  [ -z "$home" ] || as_user rm -rf "$home"
  rm -rf "$work"
}
trap clean EXIT
trap 'exit 1' HUP INT TERM

submit() { # seconds command…: a job step of one small task per node, killed and cancelled when the time is over
  limit=$1
  shift
  as_user timeout --kill-after=10 "$limit" srun --quiet --partition="$partition" --job-name="$run" --time=5 --mem=32 "$@" </dev/null
}

# Other users' jobs on a node.
others() {
  squeue --noheader --all --nodelist="$1" --states=running,completing --format='%A %u %j' | awk -v own="$run" '
    $3 != own { n++; if (n <= 3) text = text (n > 1 ? ", " : "") $1 " of " $2 }
    END { if (n > 3) text = text " and " n - 3 " more"; print text }'
}

state() { sinfo --noheader --Node --partition="$partition" --nodes="$1" --format=%T; }

reason() { scontrol --oneliner show node "$1" | sed -n 's/.* Reason=\(.*\)/: \1/p'; }

answers() {
  case $1 in
  '' | *'*' | unknown* | down* | drain* | fail* | inval* | error* | future* | power*) return 1 ;;
  esac
}

# A task failed: busy when another user's job has the node, else failed.
not_run() { # id node start exit-status file-with-errors
  jobs=$(others "$2")
  was_made_now=''
  case " $fresh " in
  *" $2 "*) was_made_now=yes ;;
  esac
  if [ "$4" = 124 ] && [ -n "$jobs" ] && [ -z "$was_made_now" ] && answers "$(state "$2")"; then
    echo "$2" >>"$work/busy"
    check "$1" busy "$2" "$3" "not free within $patience s; runs job $jobs"
  elif [ "$4" = 124 ]; then
    check "$1" failed "$2" "$3" "no result within $patience s; the node is $(state "$2")$(reason "$2")"
  else
    check "$1" failed "$2" "$3" "$(tail -n 2 "$5") (exit status $4)"
  fi
}

started=$(now)
until scontrol ping | grep -q 'is UP'; do
  if [ $(($(now) - started)) -gt $((settle * 1000)) ]; then
    check controller failed - "$started" 'slurmctld does not answer'
    exit 0
  fi
  sleep 0.5
done
check controller passed - "$started" "$(scontrol --version) answers"

# Waits for nodes that have just started.
started=$(now)
while :; do
  sinfo --noheader --Node --partition="$partition" --format='%N %T' | sort -u >"$work/states"
  settling=''
  for node in $nodes; do
    state=$(awk -v node="$node" '$1 == node { print $2 }' "$work/states")
    case $state in
    '' | *'*' | unknown* | down*) settling=yes ;;
    esac
  done
  if [ -z "$settling" ] || [ $(($(now) - started)) -ge $((settle * 1000)) ]; then break; fi
  sleep 0.5
done
alive=''
version=$(scontrol --version | awk '{ split($2, part, "."); print part[1] "." part[2] }')
for node in $nodes; do
  state=$(awk -v node="$node" '$1 == node { print $2 }' "$work/states")
  theirs=$(scontrol --oneliner show node "$node" | sed -n 's/.* Version=\([0-9]*\.[0-9]*\).*/\1/p')
  if ! answers "$state"; then
    check node failed "$node" "$started" "the node is ${state:-not known to slurmctld}$(reason "$node")"
  elif [ "$theirs" != "$version" ]; then
    # In the middle of an upgrade nodes are older for a while, and their jobs go on; a node may never be newer.
    if [ "$(printf '%s\n%s\n' "$theirs" "$version" | sort -V | head -n 1)" = "$theirs" ]; then
      check node failed "$node" "$started" "runs Slurm $theirs, older than the controller's $version: its upgrade is not done"
    else
      check node failed "$node" "$started" "runs Slurm $theirs, newer than the controller's $version, which Slurm does not support"
    fi
  else
    alive="$alive $node"
    check node passed "$node" "$started" "$state"
  fi
done

for name in $partitions; do
  started=$(now)
  if srun --test-only --partition="$name" --nodes=1 true 2>"$work/err" </dev/null; then
    check partition passed - "$started" "$name accepts jobs"
  else
    check partition failed - "$started" "$name: $(tail -n 1 "$work/err")"
  fi
done

if [ -n "$shared_home" ]; then
  home=/home/$user/$run
  # shellcheck disable=SC2016 # expanded by the inner shell
  if ! as_user sh -c 'umask 077; mkdir "$1" && printf %s "$2" >"$1/token"' sh "$home" "$token" 2>"$work/err"; then
    check shared-home failed - "$(now)" "the controller cannot write to it: $(tail -n 1 "$work/err")"
    home=''
  fi
fi

# A task prints its node, its user and what it found in the shared folder.
# shellcheck disable=SC2016 # expanded on the node
task='home=ok
if [ -n "$1" ]; then
  [ "$(cat "$1/token")" = "$2" ] || home=unreadable
  printf %s "$2" >"$1/from-$SLURMD_NODENAME" || home=unwritable
fi
echo "RAN $SLURMD_NODENAME $(id -un) $home"'

# Nodes that a reservation has now or before a test job of five minutes would end. Asked of the reservations: the state of a node shows
# one only after slurmctld's next round.
scontrol --oneliner show reservation |
  sed -n 's/^ReservationName=\([^ ]*\) StartTime=\([^ ]*\) .* Nodes=\([^ (][^ ]*\) .*/\1 \2 \3/p' |
  while read -r name start list; do
    [ $(($(date -d "$start" +%s) - 300)) -le "$(date +%s)" ] || continue
    scontrol show hostnames "$list" | awk -v name="$name" '{ print $1, name }'
  done >"$work/reserved"
reservation() { awk -v node="$1" '$1 == node { print $2; exit }' "$work/reserved"; }

# First one job on all idle nodes; then one job per node without a result.
idle=''
count=0
for node in $alive; do
  if grep -q "^$node idle$" "$work/states" && [ -z "$(reservation "$node")" ]; then
    idle="$idle${idle:+,}$node"
    count=$((count + 1))
  fi
done
started=$(now)
: >"$work/ran"
if [ "$count" -gt 0 ]; then
  submit "$patience" --immediate=5 --nodelist="$idle" --nodes="$count" --ntasks-per-node=1 sh -c "$task" task "$home" "$token" >"$work/ran" 2>/dev/null
fi

one_node() { # node option…
  node=$1
  shift
  submit "$patience" "$@" --nodelist="$node" --nodes=1 --ntasks=1 sh -c "$task" task "$home" "$token" >"$work/ran-$node" 2>"$work/err-$node"
  status=$?
  ran "$node" "$work/ran-$node"
}

free_node() { # node
  one_node "$1" || not_run run "$1" "$started" $status "$work/err-$1"
}

# A reservation may leave a part of the node to others.
reserved_node() { # node reservation
  if one_node "$1" --immediate=5; then return; fi
  if grep -q 'Unable to allocate resources' "$work/err-$1"; then
    echo "$1" >>"$work/busy"
    check run busy "$1" "$started" "it is reserved: $2"
  else
    not_run run "$1" "$started" $status "$work/err-$1"
  fi
}

ran() { # node file
  line=$(grep "^RAN $1 $user " "$2") || return 1
  echo "$1" >>"$work/passed"
  check run passed "$1" "$started" "srun ran a task as $user"
  case $line in
  *' unreadable') check shared-home failed "$1" "$started" "/home does not show what the controller wrote" ;;
  *' unwritable') check shared-home failed "$1" "$started" "cannot write to /home" ;;
  esac
}

: >"$work/passed"
: >"$work/busy"
running=0
for node in $alive; do
  ran "$node" "$work/ran" && continue
  holder=$(reservation "$node")
  if [ -n "$holder" ]; then reserved_node "$node" "$holder" & else free_node "$node" & fi
  running=$((running + 1))
  [ $((running % 32)) -ne 0 ] || wait
done
wait

# Written on one node, read on another.
if [ -n "$home" ]; then
  started=$(now)
  writer=$(head -n 1 "$work/passed")
  reader=$(tail -n 1 "$work/passed")
  if [ -z "$writer" ]; then
    if [ -s "$work/busy" ]; then
      check shared-home busy - "$started" 'no node was free to write a file'
    else
      check shared-home failed - "$started" 'no node ran a task that could write a file'
    fi
  elif [ "$writer" = "$reader" ]; then
    if [ "$(as_user cat "$home/from-$writer" 2>&1)" = "$token" ]; then
      check shared-home passed - "$started" "written on $writer, read on the controller"
    else
      check shared-home failed - "$started" "written on $writer, not readable on the controller"
    fi
  else
    found=$(submit "$patience" --nodelist="$reader" --nodes=1 --ntasks=1 cat "$home/from-$writer" 2>"$work/err")
    status=$?
    if [ "$found" = "$token" ]; then
      check shared-home passed - "$started" "written on $writer, read on $reader"
    elif [ $status = 124 ]; then
      not_run shared-home "$reader" "$started" $status "$work/err"
    else
      check shared-home failed "$reader" "$started" "written on $writer, not readable here: $(tail -n 1 "$work/err")"
    fi
  fi
fi

# An array of batch jobs, and their accounting records.
started=$(now)
tasks=4
if [ ! -s "$work/passed" ] && [ -s "$work/busy" ]; then
  check batch-array busy - "$started" 'no node is free'
elif job=$(as_user sbatch --parsable --partition="$partition" --job-name="$run" --time=5 --mem=32 --ntasks=1 --array=1-$tasks --output=/dev/null --wrap=true 2>"$work/err"); then
  while left=$(squeue --noheader --all --jobs="$job" --format=%T) && [ -n "$left" ]; do
    [ $(($(now) - started)) -lt $((patience * 1000)) ] || break
    sleep 0.3
  done
  if [ -n "$left" ]; then
    scancel --quiet "$job"
    if squeue --noheader --all --states=running --format=%j | grep -qv "^$run\$"; then
      check batch-array busy - "$started" "not done within $patience s; other jobs run"
    else
      check batch-array failed - "$started" "not done within $patience s"
    fi
  else
    check batch-array passed - "$started" "sbatch ran an array of $tasks jobs"
    if [ -n "$accounting" ]; then
      started=$(now)
      while :; do
        records=$(sacct --noheader --parsable2 --allocations --jobs="$job" --format=State | grep -c '^COMPLETED$')
        if [ "$records" -ge $tasks ] || [ $(($(now) - started)) -ge 30000 ]; then break; fi
        sleep 0.5
      done
      if [ "$records" -eq $tasks ]; then
        check accounting passed - "$started" "sacct shows $tasks completed jobs"
      else
        check accounting failed - "$started" "sacct shows $records of $tasks jobs as completed"
      fi
    fi
  fi
else
  check batch-array failed - "$started" "$(tail -n 1 "$work/err")"
fi

# A GPU job sees a GPU, and the device file exists.
# shellcheck disable=SC2016 # expanded on the node
gpu_task='[ -n "${CUDA_VISIBLE_DEVICES:-${ROCR_VISIBLE_DEVICES:-${ZE_AFFINITY_MASK:-}}}" ] || { echo "no device in the environment of the job" >&2; exit 1; }
for file; do
  [ -c "$file" ] || { echo "$file is not a device" >&2; exit 1; }
done
if command -v nvidia-smi >/dev/null; then
  nvidia-smi --list-gpus
else
  echo "device ${CUDA_VISIBLE_DEVICES:-${ROCR_VISIBLE_DEVICES:-${ZE_AFFINITY_MASK:-}}}"
fi'
one_gpu() { # node device…
  node=$1
  shift
  if grep -qx "$node" "$work/busy"; then
    check gpu busy "$node" "$started" 'not free, see the check run'
    return
  fi
  submit "$patience" --nodelist="$node" --nodes=1 --ntasks=1 --gres=gpu:1 sh -c "$gpu_task" task "$@" >"$work/gpu-$node" 2>"$work/gpu-err-$node"
  status=$?
  if [ $status = 0 ]; then
    check gpu passed "$node" "$started" "$(head -n 1 "$work/gpu-$node")"
  else
    not_run gpu "$node" "$started" $status "$work/gpu-err-$node"
  fi
}
started=$(now)
wait
