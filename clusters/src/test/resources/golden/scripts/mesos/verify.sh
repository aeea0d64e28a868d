#!/bin/sh
# Acceptance tests of a Mesos cluster: ZooKeeper's majority, agents and their resources, an app and a job, a task on each GPU. Run as
# root on the first master. Prints one line per check:
#   CHECK <id> <passed|failed|busy> <node or -> <seconds> <message>, separated by tabs.
# Exit status 0: all checks ran, whatever their results. Environment:
# DEEPSITE_PATIENCE  longest wait for one test task, in seconds
# DEEPSITE_FRESH     hosts created or restarted in this apply; no other tasks can fill them, so busy counts as failed
set -u
export LC_ALL=C
cd /

quorum=2
masters=3
patience=${DEEPSITE_PATIENCE:-120}
fresh=${DEEPSITE_FRESH:-}
settle=60

token=$(od -An -N6 -tx1 /dev/urandom | tr -d ' \n')
work=$(mktemp -d -p /run deepsite-verify.XXXXXX) || exit 1
app=''
job=''

now() { date +%s%3N; }

check() { # id status node start message
  took=$(($(now) - $4))
  printf 'CHECK\t%s\t%s\t%s\t%d.%03d\t%s\n' "$1" "$2" "$3" $((took / 1000)) $((took % 1000)) "$(printf %s "$5" | tr '\t\n' '  ')"
}

clean() {
  trap '' EXIT HUP INT TERM
  [ -z "$app" ] || deepsite-mesos end-app "$app" >/dev/null 2>&1
  [ -z "$job" ] || deepsite-mesos end-job "$job" >/dev/null 2>&1
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
votes() {
  deepsite-zookeeper ensemble >"$work/ensemble"
  [ "$(grep -cE ' (leader|follower|standalone)$' "$work/ensemble")" -ge "$masters" ]
}
within 20 votes
serving=$(grep -cE ' (leader|follower|standalone)$' "$work/ensemble")
if [ "$serving" -eq "$masters" ] && [ "$(grep -cE ' (leader|standalone)$' "$work/ensemble")" -eq 1 ]; then
  check zookeeper passed - "$started" "$serving of $masters servers vote, one leads"
else
  check zookeeper failed - "$started" "$serving of $masters servers vote, $quorum are a majority: $(tr '\n' ',' <"$work/ensemble")"
fi

started=$(now)
if ! within $settle deepsite-mesos leads 2>"$work/err"; then
  check master failed - "$started" "no master leads: $(tail -n 1 "$work/err")"
  exit 0
fi
deepsite-mesos masters >"$work/masters"
case $(cat "$work/masters") in
*silent*) check master failed - "$started" "a master is silent: $(tr '\n' ',' <"$work/masters")" ;;
*) check master passed - "$started" "$(grep -c . "$work/masters") masters answer, $(sed -n 's/ leads$//p' "$work/masters") leads" ;;
esac
running=$(deepsite-mesos flag quorum 2>&1)
if [ "$running" = "$quorum" ]; then
  check quorum passed - "$started" "the running master's quorum is $quorum of $masters"
else
  check quorum failed - "$started" "the running master's quorum is $running, not $quorum of $masters"
fi

# Mesos answers nothing without its password.
started=$(now)
refused() {
  python3 - "$1" "$2" <<'END'
import http.client
import sys
connection = http.client.HTTPConnection(sys.argv[1], timeout=10)
connection.request("GET", sys.argv[2])
sys.exit(0 if connection.getresponse().status == 401 else 1)
END
}
if refused '10.0.0.1:5050' /master/state; then
  check refused passed 'master-1' "$started" 'a request without a password is refused'
else
  check refused failed 'master-1' "$started" 'a request without a password is answered'
fi
if refused '10.0.0.2:5050' /master/state; then
  check refused passed 'master-2' "$started" 'a request without a password is refused'
else
  check refused failed 'master-2' "$started" 'a request without a password is answered'
fi
if refused '10.0.0.3:5050' /master/state; then
  check refused passed 'master-3' "$started" 'a request without a password is refused'
else
  check refused failed 'master-3' "$started" 'a request without a password is answered'
fi

registered() { deepsite-mesos agents >"$work/agents" 2>/dev/null; }
agent() { # name address cpus gpus
  started=$(now)
  offers() { registered && sed -n "s/^$address //p" "$work/agents" | grep -q .; }
  address=$2
  if ! within $settle offers; then
    check agent failed "$1" "$started" 'no master has registered it'
    return
  fi
  found=$(sed -n "s/^$2 //p" "$work/agents")
  if [ "${found#* }" != "$4" ]; then
    check agent failed "$1" "$started" "it offers ${found#* } GPUs, site.yaml says $4"
  elif [ "${found% *}" -lt "$3" ]; then
    check agent failed "$1" "$started" "it offers ${found% *} cpus, site.yaml says $3"
  else
    check agent passed "$1" "$started" "it offers ${found% *} cpus and ${found#* } GPUs"
  fi
}
agent 'agent-1' '10.0.0.11' 4 0
agent 'gpu-1' '10.0.0.21' 1 2

# Runs an app on one agent: one task, or a task per card, each with its own card.
run_app() { # check node address cards command message
  started=$(now)
  app=deepsite-verify-$token
  cards=$4
  if [ "$cards" -gt 0 ]; then each=1 tasks=$cards; else each=0 tasks=1; fi
  printf '{"id": "/%s", "cmd": "%s", "cpus": 0.1, "mem": 32, "gpus": %d, "instances": %d, "constraints": [["hostname", "CLUSTER", "%s"]]}' "$app" "$5" $each "$tasks" "$3" |
    DEEPSITE_PATIENCE=$patience deepsite-mesos run-app >"$work/tasks" 2>"$work/err"
  code=$?
  seen() { deepsite-mesos output "$app" 2>"$work/err" | grep '^GPU ' | sed 's/.*UUID: //' | sort -u | grep -c .; }
  different() { [ "$(seen)" -ge "$cards" ]; }
  elsewhere=$(cut -d ' ' -f 1 "$work/tasks" | grep -vxF "$3" | head -n 1)
  if [ $code -eq 0 ] && [ -n "$elsewhere" ]; then
    check "$1" failed "$2" "$started" "its task runs on $elsewhere"
  elif [ $code -eq 0 ] && within 20 different; then
    check "$1" passed "$2" "$started" "$6"
  elif [ $code -eq 0 ]; then
    check "$1" failed "$2" "$started" "nvidia-smi in $cards tasks lists $(seen) different cards: $(deepsite-mesos output "$app" 2>&1 | head -n 3)"
  else
    case " $fresh " in
    *" $2 "*) state=failed ;;
    *) if grep -q 'no offer' "$work/err"; then state=busy; else state=failed; fi ;;
    esac
    check "$1" $state "$2" "$started" "$(tail -n 1 "$work/err")"
  fi
  deepsite-mesos end-app "$app" >/dev/null 2>&1
  app=''
}
run_app app 'agent-1' '10.0.0.11' 0 'sleep 3600' 'a task of Marathon runs'
run_app app 'gpu-1' '10.0.0.21' 0 'sleep 3600' 'a task of Marathon runs'
run_app gpu 'gpu-1' '10.0.0.21' 2 'nvidia-smi --list-gpus && sleep 3600' '2 tasks run, each on its own card'
# Runs an app on any agent, and requests it through each load balancer at Marathon's port.
started=$(now)
app=deepsite-verify-lb-$token
# shellcheck disable=SC2016 # the task's own shell
printf '{"id": "/%s", "cmd": "echo %s >index.html && exec python3 -m http.server $PORT0", "cpus": 0.1, "mem": 64, "instances": 1, "labels": {"HAPROXY_GROUP": "external"}, "networks": [{"mode": "host"}], "portDefinitions": [{"port": 0, "name": "http"}]}' "$app" "$token" |
  DEEPSITE_PATIENCE=$patience deepsite-mesos run-app >"$work/tasks" 2>"$work/err"
code=$?
port=$(deepsite-mesos marathon GET "v2/apps/$app" 2>/dev/null | python3 -c 'import json, sys; print(json.load(sys.stdin)["app"]["portDefinitions"][0]["port"])' 2>/dev/null)
fetched() { python3 -c 'import sys, urllib.request; print(urllib.request.urlopen(sys.argv[1], timeout=5).read().decode())' "http://$1:$port/index.html" 2>"$work/err" | grep -q "$token"; }
if [ $code -eq 0 ] && within 30 fetched '10.0.0.31'; then
  check balancer passed 'lb' "$started" "an app is reached through port $port"
else
  check balancer failed 'lb' "$started" "no app is reached through port ${port:-that Marathon gave}: $(tail -n 1 "$work/err")"
fi
deepsite-mesos end-app "$app" >/dev/null 2>&1
app=''
started=$(now)
if within 10 deepsite-mesos-door refuses '10.0.0.31' 2>"$work/err"; then
  check door passed 'lb' "$started" 'a request without a token is refused'
else
  check door failed 'lb' "$started" "$(tail -n 1 "$work/err")"
fi
started=$(now)
if within 10 deepsite-mesos-door accepts '10.0.0.31' 2>"$work/err"; then
  check token passed 'lb' "$started" 'a request with a token is answered'
else
  check token failed 'lb' "$started" "$(tail -n 1 "$work/err")"
fi
started=$(now)
job=deepsite-verify-$token
if printf '{"name": "%s", "command": "echo done", "shell": true, "schedule": "R1/2030-01-01T00:00:00Z/PT24H", "cpus": 0.1, "mem": 32, "retries": 0, "owner": ""}' "$job" |
  DEEPSITE_PATIENCE=$patience deepsite-mesos run-job 2>"$work/err"; then
  check job passed - "$started" 'a job of Chronos ran'
else
  check job failed - "$started" "a job of Chronos failed: $(tail -n 1 "$work/err")"
fi
