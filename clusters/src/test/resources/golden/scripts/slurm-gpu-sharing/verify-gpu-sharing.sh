#!/bin/sh
# Acceptance tests of the shared cards of a Slurm cluster. Run as root on the controller.
# On each node two jobs have a card together, and one that asks for more than is left waits until there is room.
# Prints one line per check:  CHECK <id> <passed|failed|busy> <node or -> <seconds> <message>, separated by tabs.
# Exit status 0: all checks ran, whatever their results. Environment:
# DEEPSITE_PATIENCE  longest wait for a job, in seconds
set -u
export LC_ALL=C
cd /

user='deepsite-verify'
patience=${DEEPSITE_PATIENCE:-120}
run=$user-$$
work=$(mktemp -d -p /run deepsite-verify.XXXXXX) || exit 1

clean() {
  trap '' EXIT HUP INT TERM
  for job in "$work"/*.out; do
    [ ! -e "$job" ] || end "$(basename "$job" .out)"
  done
  wait
  rm -rf "$work"
}
trap clean EXIT
trap 'exit 1' HUP INT TERM

now() { date +%s%3N; }

check() { # status message
  took=$(($(now) - started))
  printf 'CHECK\tgpu-sharing\t%s\t%s\t%d.%03d\t%s\n' "$1" "$node" $((took / 1000)) $((took % 1000)) "$(printf %s "$2" | tr '\t\n' '  ')"
}

# A job says what it has of the card, and keeps it.
# shellcheck disable=SC2016 # expanded on the node
task='service=missing
if ! command -v nvidia-cuda-mps-control >/dev/null; then
  service=absent
elif [ -n "${CUDA_MPS_PIPE_DIRECTORY:-}" ] && echo get_server_list | timeout 20 nvidia-cuda-mps-control >/dev/null 2>&1; then
  service=$CUDA_MPS_PIPE_DIRECTORY
fi
echo "HAS ${CUDA_MPS_ACTIVE_THREAD_PERCENTAGE:-0} $service ${CUDA_VISIBLE_DEVICES:-${ROCR_VISIBLE_DEVICES:-${ZE_AFFINITY_MASK:-}}}"
exec sleep 280'

begin() { # name gres
  runuser -u "$user" -- env -i PATH=/usr/local/bin:/usr/bin:/bin LC_ALL=C HOME=/ USER="$user" LOGNAME="$user" \
    srun --quiet --partition="$user" --job-name="$run-$1" --chdir=/ --time=5 --mem=32 --nodes=1 --ntasks=1 --nodelist="$node" --gres="$2" \
    sh -c "$task" >"$work/$1.out" 2>"$work/$1.err" </dev/null &
}

end() { scancel --quiet --user="$user" --jobname="$run-$1" 2>/dev/null; }

queued() { squeue --noheader --all --user="$user" --name="$run-$1" --format='%T %r'; }

until_true() { # command…: false when the time is over
  asked=$(now)
  until "$@"; do
    [ $(($(now) - asked)) -lt $((patience * 1000)) ] || return 1
    sleep 0.2
  done
}

has() { grep -q '^HAS ' "$work/$1.out" || { [ -s "$work/$1.err" ] && ! queued "$1" | grep -q .; }; }

is_gone() { ! queued "$1" | grep -q .; }

# Slurm has tried, or has let it run.
is_tried() { queued "$1" | grep -q -E '^(PENDING (Resources|Priority)|RUNNING)' || has "$1"; }

runs() { # name: once it should
  until_true has "$1" && grep -q '^HAS ' "$work/$1.out"
}

others() { squeue --noheader --all --nodelist="$node" --states=running,completing --format='%u %j' | awk -v own="$run" 'index($2, own) != 1 { n++ } END { exit !n }'; }

not_run() { # name
  if [ ! -s "$work/$1.err" ] && others; then
    check busy "not free within $patience s; other jobs run there"
  else
    check failed "$2 does not run: $(queued "$1" | head -n 1) $(tail -n 1 "$work/$1.err")"
  fi
}

share() { # node kind other-cards first second percent
  node=$1
  kind=$2
  started=$(now)
  # Of several cards one is left, so that both jobs are on it.
  if [ "$3" -gt 0 ]; then
    begin "$node-cards" "gpu:$3"
    if ! runs "$node-cards"; then
      not_run "$node-cards" "a job with $3 other cards"
      return
    fi
  fi
  begin "$node-first" "$kind:$4"
  begin "$node-second" "$kind:$5"
  for part in first second; do
    if ! runs "$node-$part"; then
      not_run "$node-$part" "the $part of two jobs on a card"
      return
    fi
  done
  read -r _ percent service card <"$work/$node-first.out"
  read -r _ _ others_service other <"$work/$node-second.out"
  # Slurm 22.05 does not name the card to jobs with shares by MPS where its device file does not have the number of its place
  # (/dev/nvidia1 alone, as a container of a host with two cards has it). Where there is one card only, it is that.
  if [ "$3" -eq 0 ]; then
    card=${card:-0}
    other=${other:-0}
  fi
  if ! queued "$node-first" | grep -q '^RUNNING' || ! queued "$node-second" | grep -q '^RUNNING'; then
    check failed 'two jobs on a card do not run at the same time'
    return
  elif [ -z "$card" ] || [ "$card" != "$other" ]; then
    check failed "the jobs have different cards: '$card' and '$other'"
    return
  elif [ "$percent" != "$6" ]; then
    check failed "a job with $4 shares has $percent % of the threads, not $6 %"
    return
  elif [ "$kind $service" = 'mps absent' ]; then
    check failed 'nvidia-cuda-mps-control is not installed: jobs take turns on the card'
    return
  elif [ "$kind $service" = 'mps missing' ]; then
    check failed "the job finds no MPS control daemon: see journalctl -t deepsite-slurm-mps on $node"
    return
  elif [ "$service" != "$others_service" ]; then
    check failed "two jobs of a user have different MPS control daemons: $service and $others_service"
    return
  fi
  # The processor of the second job is free for the third, its part of the card is too small.
  end "$node-second"
  if ! until_true is_gone "$node-second"; then
    check failed 'a cancelled job does not end'
    return
  fi
  begin "$node-third" "$kind:$(($5 + 1))"
  if ! until_true is_tried "$node-third"; then
    check failed "the job that must wait is not in the queue: $(tail -n 1 "$work/$node-third.err")"
    return
  elif ! queued "$node-third" | grep -q '^PENDING'; then
    check failed "a third job runs, though only $5 shares are free"
    return
  fi
  end "$node-first"
  if runs "$node-third"; then
    check passed "two jobs share card $card by $kind$([ "$6" = 0 ] || echo " through one daemon, the first with $6 % of its threads"); one that does not fit waits"
  else
    not_run "$node-third" 'the job that waited'
  fi
}

release() { # part…: jobs of the node
  for part; do end "$node-$part"; done
}

running=0
{
  share 'one-1' 'shard' 0 2 3 0
  release cards first second third
  wait
} &
running=$((running + 1))
[ $((running % 16)) -ne 0 ] || wait
{
  share 'two-1' 'mps' 0 20 20 50
  release cards first second third
  wait
} &
running=$((running + 1))
[ $((running % 16)) -ne 0 ] || wait
wait
