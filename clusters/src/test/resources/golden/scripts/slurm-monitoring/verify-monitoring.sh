#!/bin/sh
# Acceptance tests of the metrics of a Slurm cluster. Run as root on the controller.
# Prints one line per check:  CHECK <id> <passed|failed|busy> <node or -> <seconds> <message>, separated by tabs.
# Exit status 0: all checks ran, whatever their results. Environment:
# DEEPSITE_PATIENCE  longest wait for one test job, in seconds
# DEEPSITE_FRESH     hosts created or restarted in this apply; no other job can fill them, so busy counts as failed
set -u
export LC_ALL=C
cd /

user='deepsite-verify'
port='9100'
controller='10.0.0.100'
patience=${DEEPSITE_PATIENCE:-120}
fresh=${DEEPSITE_FRESH:-}
run=$user-monitoring-$$
work=$(mktemp -d -p /run deepsite-verify.XXXXXX) || exit 1

now() { date +%s%3N; }

check() { # id status node start message
  took=$(($(now) - $4))
  printf 'CHECK\t%s\t%s\t%s\t%d.%03d\t%s\n' "$1" "$2" "$3" $((took / 1000)) $((took % 1000)) "$(printf %s "$5" | tr '\t\n' '  ')"
}

as_user() {
  runuser -u "$user" -- env -i PATH=/usr/local/bin:/usr/bin:/bin LC_ALL=C HOME="/home/$user" USER="$user" LOGNAME="$user" "$@"
}

clean() {
  trap '' EXIT HUP INT TERM
  scancel --quiet --user="$user" --jobname="$run" 2>/dev/null
  rm -rf "$work"
}
trap clean EXIT
trap 'exit 1' HUP INT TERM

read_metrics() { # address: prints them
  python3 -c '
import sys, urllib.request
host = "[%s]" % sys.argv[1] if ":" in sys.argv[1] else sys.argv[1]
opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
sys.stdout.write(opener.open("http://%s:%s/metrics" % (host, sys.argv[2]), timeout=10).read().decode())
' "$1" "$port"
}

exporter() { # name address
  started=$(now)
  # systemd calls it started before it listens.
  until read_metrics "$2" >"$work/metrics-$1" 2>"$work/error-$1" || [ $(($(now) - started)) -ge $((patience * 1000)) ]; do sleep 0.5; done
  if grep -q '^node_uname_info{' "$work/metrics-$1"; then
    check node-exporter passed "$1" "$started" "$(grep -c '^[^#]' "$work/metrics-$1") metrics"
  else
    check node-exporter failed "$1" "$started" "no metrics from $2 port $port: $(tail -n 1 "$work/error-$1")"
  fi
}

of_slurm() { # file name-and-labels: the value, or nothing
  awk -v wanted="$2" '$1 == wanted { print $2 }' "$1"
}

exporter 'head' '10.0.0.100'
exporter 'node-1' '10.0.0.1'
exporter 'node-2' '10.0.0.2'

# What node-exporter shows is what the timer wrote last.
started=$(now)
shown="$work/shown"
read_metrics "$controller" >"$shown" 2>/dev/null
cluster='slurm_cluster="hpc"'
age=$(awk '/^node_textfile_mtime_seconds[{].*deepsite-slurm[.]prom/ { printf "%d", $2 }' "$shown")
age=$(($(date +%s) - ${age:-0}))
if [ "$(of_slurm "$shown" "deepsite_slurm_up{$cluster}")" = 1 ] && [ "$age" -lt 120 ]; then
  check slurm-metrics passed - "$started" "written $age s ago"
else
  check slurm-metrics failed - "$started" "the controller shows no metrics of Slurm, or old ones: systemctl status deepsite-slurm-metrics.timer"
fi

started=$(now)
as_user sbatch --quiet --hold --partition="$user" --job-name="$run" --time=1 --mem=32 --output=/dev/null --wrap=true >/dev/null 2>"$work/error"
/usr/local/sbin/deepsite-slurm-metrics show >"$work/slurm" 2>>"$work/error"
waiting=$(of_slurm "$work/slurm" "deepsite_slurm_jobs{$cluster,partition=\"$user\",state=\"pending\"}")
counted=$(awk '/^deepsite_slurm_nodes[{]/ { n += $2 } END { print n + 0 }' "$work/slurm")
scancel --quiet --user="$user" --jobname="$run" 2>/dev/null
if [ "$counted" -ne '2' ]; then
  check slurm-jobs failed - "$started" "$counted nodes are counted, there are 2"
elif [ "${waiting:-0}" -ge 1 ]; then
  check slurm-jobs passed - "$started" "$counted nodes, a held job is counted"
else
  check slurm-jobs failed - "$started" "a held job is not counted: $(tail -n 1 "$work/error")"
fi

# A job has no business there. The rule drops: no answer within 3 s, not a refusal, which would mean that nothing listens.
started=$(now)
try="timeout 3 bash -c 'exec 3<>/dev/tcp/$controller/$port'; echo status \$?"
as_user timeout --kill-after=10 "$patience" srun --quiet --partition="$user" --job-name="$run" --time=5 --mem=32 \
  --nodes=1 --nodelist='node-1' sh -c "$try" </dev/null >"$work/said" 2>"$work/error"
status=$?
node='node-1'
others=$(squeue --noheader --all --nodelist="$node" --states=running,completing --format='%A of %u' | head -n 3 | paste -s -d ,)
if grep -qx 'status 124' "$work/said"; then
  check closed-to-jobs passed "$node" "$started" "a job cannot read the controller's metrics"
elif grep -q '^status' "$work/said"; then
  check closed-to-jobs failed "$node" "$started" "a job on $node reached port $port of the controller"
elif [ "$status" -eq 124 ] && [ -n "$others" ] && ! printf ' %s ' "$fresh" | grep -qF " $node "; then
  check closed-to-jobs busy "$node" "$started" "not free within $patience s; runs job $others"
else
  check closed-to-jobs failed "$node" "$started" "no job on $node: $(tail -n 1 "$work/error") (exit status $status)"
fi
