#!/bin/sh
# Acceptance tests of a Kubernetes cluster: pods on every node, a service reached from outside. Run as root on a control plane
# machine. Prints one line per check:
#   CHECK <id> <passed|failed|busy> <node or -> <seconds> <message>, separated by tabs.
# Exit status 0: all checks ran, whatever their results. Environment:
# DEEPSITE_PATIENCE  longest wait for one test pod, in seconds
# DEEPSITE_FRESH     hosts created or restarted in this apply; no other pods can fill them, so busy counts as failed
set -u
export LC_ALL=C
cd /

version='v1.20.2'
image='docker.io/library/busybox:1.36'
nodes='control-1 control-2 control-3 worker-1 worker-2'
addresses='10.64.0.11 10.64.0.12 10.64.0.13 10.64.0.21 10.64.0.22'
cuda='registry.example.org/cuda:11 registry.example.org/cuda:12'
gpus=''
endpoint='10.64.0.250'
endpoint_port=8443
stopped=''
patience=${DEEPSITE_PATIENCE:-120}
fresh=${DEEPSITE_FRESH:-}
namespace=deepsite-verify
settle=90

token=$(od -An -N6 -tx1 /dev/urandom | tr -d ' \n')
work=$(mktemp -d -p /run deepsite-verify.XXXXXX) || exit 1

api() { kubectl --kubeconfig /etc/kubernetes/admin.conf --request-timeout=20s "$@"; }

ours() { api --namespace "$namespace" "$@"; }

now() { date +%s%3N; }

check() { # id status node start message
  took=$(($(now) - $4))
  printf 'CHECK\t%s\t%s\t%s\t%d.%03d\t%s\n' "$1" "$2" "$3" $((took / 1000)) $((took % 1000)) "$(printf %s "$5" | tr '\t\n' '  ')"
}

clean() {
  trap '' EXIT HUP INT TERM
  [ -z "$stopped" ] || systemctl start keepalived.service
  ours delete deployments,services,pods --selector "deepsite-verify=$token" --wait=false --ignore-not-found >/dev/null 2>&1
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

ready() { [ "$(api get --raw /readyz 2>"$work/err")" = ok ]; }

started=$(now)
if ! within $settle ready; then
  check api failed - "$started" "the API server is not ready: $(tail -n 1 "$work/err")"
  exit 0
fi
check api passed - "$started" "$(api version --output json 2>/dev/null | sed -n '/serverVersion/,$s/.*"gitVersion": "\(.*\)".*/\1/p') answers"

# A node is Ready and has the release in site.yaml.
node_state() {
  api get nodes --output 'jsonpath={range .items[*]}{.metadata.name} {.status.conditions[?(@.type=="Ready")].status} {.status.nodeInfo.kubeletVersion}{"\n"}{end}' >"$work/nodes" 2>"$work/err" || return 1
  for node in $nodes; do
    grep -q "^$node True " "$work/nodes" || return 1
  done
}
started=$(now)
within $settle node_state
alive=''
for node in $nodes; do
  state=$(sed -n "s/^$node //p" "$work/nodes")
  case $state in
  "True $version")
    alive="$alive $node"
    check node passed "$node" "$started" "Ready, $version"
    ;;
  'True '*) check node failed "$node" "$started" "kubelet is ${state#True }, not $version" ;;
  '') check node failed "$node" "$started" 'the cluster does not know it' ;;
  *)
    why=$(api get node "$node" --output 'jsonpath={.status.conditions[?(@.type=="Ready")].message}' 2>/dev/null)
    check node failed "$node" "$started" "not Ready: ${why:-no reason is given}"
    ;;
  esac
done

account() { ours get serviceaccount default >/dev/null 2>&1; }
api create namespace "$namespace" >/dev/null 2>&1
if ! within 30 account; then
  check run failed - "$(now)" 'the controller manager creates no service account in a new namespace'
  exit 0
fi

# Why a pod does not run.
why() {
  text=$(ours get pod "$1" --output 'jsonpath={.status.conditions[?(@.type=="PodScheduled")].message} {.status.containerStatuses[0].state.waiting.reason} {.status.containerStatuses[0].state.waiting.message} {.status.containerStatuses[0].state.terminated.reason} {.status.containerStatuses[0].state.terminated.message} {.status.message}' 2>/dev/null | tr -s ' ')
  printf %s "${text:-no reason is given}"
}

pod() { # name node command
  cat <<YAML
apiVersion: v1
kind: Pod
metadata: {name: "$1", labels: {deepsite-verify: "$token"}}
spec:
  restartPolicy: Never
  automountServiceAccountToken: false
  terminationGracePeriodSeconds: 1
  tolerations: [{operator: Exists}]
  affinity:
    nodeAffinity:
      requiredDuringSchedulingIgnoredDuringExecution:
        nodeSelectorTerms: [{matchFields: [{key: metadata.name, operator: In, values: ["$2"]}]}]
  containers:
  - name: job
    image: "$image"
    imagePullPolicy: IfNotPresent
    command: [sh, -c, "$3"]
    resources: {requests: {cpu: 10m, memory: 16Mi}, limits: {memory: 64Mi}}
---
YAML
}

# One job per node.
started=$(now)
for node in $alive; do
  pod "run-$node-$token" "$node" "echo RAN-$token"
done >"$work/pods.yaml"
if [ -n "$alive" ] && ! ours create --filename "$work/pods.yaml" >/dev/null 2>"$work/err"; then
  check run failed - "$started" "pods are refused: $(tail -n 1 "$work/err")"
fi
# Succeeds when every pod with this name prefix is in one of these phases: all_are PREFIX PHASES
all_are() {
  ours get pods --selector "deepsite-verify=$token" --output 'jsonpath={range .items[*]}{.metadata.name} {.status.phase}{"\n"}{end}' >"$work/phases" 2>/dev/null || return 1
  ! grep "^$1" "$work/phases" | grep -qvE " ($2)\$"
}
ended() { all_are "$1" 'Succeeded|Failed'; }
[ -z "$alive" ] || within "$patience" ended run-
for node in $alive; do
  name=run-$node-$token
  phase=$(sed -n "s/^$name //p" "$work/phases")
  case $phase in
  Succeeded)
    if [ "$(ours logs "$name" 2>&1)" = "RAN-$token" ]; then
      check run passed "$node" "$started" 'a pod ran to completion'
    else
      check run failed "$node" "$started" "a pod ran, but its output is unavailable: $(ours logs "$name" 2>&1 | tail -n 1)"
    fi
    ;;
  Pending)
    reason=$(why "$name")
    status=failed
    case $reason in
    *Insufficient*) case " $fresh " in *" $node "*) ;; *) status=busy ;; esac ;;
    esac
    check run $status "$node" "$started" "a pod has waited more than $patience s: $reason"
    ;;
  *) check run failed "$node" "$started" "a pod is ${phase:-gone}: $(why "$name")" ;;
  esac
done

gpus="$gpus worker-1:2"
gpu_pod() { # name node-or-nothing image [command]
  selector="{nvidia.com/gpu.present: 'true'}"
  [ -z "$2" ] || selector="{kubernetes.io/hostname: '$2'}"
  command=''
  [ -z "${4:-}" ] || command="command: [sh, -c, '$4']"
  cat <<YAML
apiVersion: v1
kind: Pod
metadata: {name: "$1", labels: {deepsite-verify: "$token"}}
spec:
  restartPolicy: Never
  automountServiceAccountToken: false
  terminationGracePeriodSeconds: 1
  nodeSelector: $selector
  tolerations: [{operator: Exists}]
  containers:
  - name: job
    image: "$3"
    imagePullPolicy: IfNotPresent
    $command
    resources: {limits: {nvidia.com/gpu: 1}}
---
YAML
}

offered() {
  for pair in $gpus; do
    [ "$(api get node "${pair%:*}" --output 'jsonpath={.status.allocatable.nvidia\.com/gpu}' 2>/dev/null)" = "${pair#*:}" ] || return 1
  done
}

# Why the device plugin's pod on a node does not run.
plugin_of() {
  waits=$(api get pods --namespace kube-system --selector app=nvidia-device-plugin --field-selector "spec.nodeName=$1" \
    --output 'jsonpath={.items[*].status.containerStatuses[0].state.waiting.reason} {.items[*].status.containerStatuses[0].state.waiting.message}' 2>/dev/null)
  [ -z "${waits% }" ] || printf %s "; its device plugin waits: $waits"
}

# Pods of other users that hold GPUs.
holders() {
  api get pods --all-namespaces --field-selector status.phase=Running \
    --output 'jsonpath={range .items[*]}{.metadata.namespace}/{.metadata.name} {.spec.containers[*].resources.limits.nvidia\.com/gpu}{"\n"}{end}' 2>/dev/null |
    awk -v own="$namespace/" 'NF > 1 && index($1, own) != 1 { printf "%s%s", sep, $1; sep = ", " }'
}

# Result of a GPU pod; busy when other pods hold the GPUs.
gpu_result() { # id node name message
  phase=$(sed -n "s/^$3 //p" "$work/phases")
  held=$(holders)
  case $phase in
  Succeeded) check "$1" passed "$2" "$started" "$4" ;;
  Pending)
    case " $fresh " in *" $2 "*) held='' ;; esac
    if [ -n "$held" ]; then
      check "$1" busy "$2" "$started" "no GPU is free within $patience s; held by $held"
    else
      check "$1" failed "$2" "$started" "a pod has waited more than $patience s: $(why "$3")"
    fi
    ;;
  *) check "$1" failed "$2" "$started" "a pod is ${phase:-gone}: $(why "$3") $(ours logs "$3" --tail=1 2>/dev/null)" ;;
  esac
}

# More jobs than GPUs: jobs hold all GPUs, further jobs are created one by one and wait, then one GPU becomes free and must run
# them in creation order. kube-scheduler keeps that order among pods it rejected equally often, so no GPU may become free while jobs
# are created; a pod rejected more often backs off longer, up to 10 s, and may be overtaken.
queue_waiting=3
# Until /tmp/free exists, or 600 s if the check is killed.
# shellcheck disable=SC2016 # for the shell of the pod
hold='n=0; until [ -e /tmp/free ] || [ $n -ge 600 ]; do n=$((n + 1)); sleep 1; done'

# kube-scheduler found no node for the pod.
refused() { [ "$(ours get pod "$1" --output 'jsonpath={.status.conditions[?(@.type=="PodScheduled")].status}' 2>/dev/null)" = False ]; }

queue() {
  started=$(now)
  for n in $(seq "$total"); do gpu_pod "hold-$n-$token" '' "$image" "$hold"; done >"$work/hold.yaml"
  if ! ours create --filename "$work/hold.yaml" >/dev/null 2>"$work/err"; then
    check queue failed - "$started" "pods are refused: $(tail -n 1 "$work/err")"
    return
  fi
  if ! within "$patience" all_are hold- Running; then
    stuck=$(sed -n 's/^\(hold-[^ ]*\) Pending$/\1/p' "$work/phases" | head -n 1)
    if [ -n "$(holders)" ]; then
      check queue busy - "$started" "not all $total GPUs are free; held by $(holders)"
    else
      check queue failed - "$started" "not all $total GPUs can be held at once: $(why "${stuck:-hold-1-$token}")"
    fi
    return
  fi
  for n in $(seq $queue_waiting); do
    gpu_pod "queue-$n-$token" '' "$image" 'sleep 4' >"$work/queue.yaml"
    ours create --filename "$work/queue.yaml" >/dev/null 2>"$work/err"
    if ! within 30 refused "queue-$n-$token"; then
      check queue failed - "$started" "all $total GPUs are held, but a further job does not wait: $(sed -n "s/^queue-$n-$token //p" "$work/phases") $(tail -n 1 "$work/err")"
      return
    fi
  done
  if ! ours exec "hold-1-$token" -- sh -c ': >/tmp/free' 2>"$work/err"; then
    check queue failed - "$started" "cannot end the job that holds a GPU: $(tail -n 1 "$work/err")"
    return
  fi
  if ! within "$patience" ended queue- || ! all_are queue- Succeeded; then
    check queue failed - "$started" "jobs that waited for one of $total GPUs did not finish within $patience s: $(grep '^queue-' "$work/phases" | tr '\n' ' ')"
    return
  fi
  order=$(ours get pods --selector "deepsite-verify=$token" \
    --output 'jsonpath={range .items[*]}{.status.containerStatuses[0].state.terminated.startedAt} {.metadata.name}{"\n"}{end}' 2>/dev/null |
    sort | sed -n 's/.* queue-\([0-9]*\)-.*/\1/p' | tr '\n' ' ')
  if [ "${order% }" = "$(seq -s ' ' $queue_waiting)" ]; then
    check queue passed - "$started" "all $total GPUs were held, $queue_waiting jobs waited, and ran in creation order"
  else
    check queue failed - "$started" "$queue_waiting jobs that waited for one of $total GPUs ran in the order ${order% }"
  fi
}

if [ -n "$gpus" ]; then
  started=$(now)
  within $settle offered
  total=0
  for pair in $gpus; do
    total=$((total + ${pair#*:}))
    seen=$(api get node "${pair%:*}" --output 'jsonpath={.status.allocatable.nvidia\.com/gpu}' 2>/dev/null)
    if [ "$seen" = "${pair#*:}" ]; then
      check gpu-offered passed "${pair%:*}" "$started" "offers $seen"
    else
      check gpu-offered failed "${pair%:*}" "$started" "offers ${seen:-no} GPUs, site.yaml says ${pair#*:}$(plugin_of "${pair%:*}")"
    fi
  done

  # One job per GPU, all at once.
  started=$(now)
  first=${cuda%% *}
  for pair in $gpus; do
    for n in $(seq "${pair#*:}"); do gpu_pod "gpu-${pair%:*}-$n-$token" "${pair%:*}" "$first"; done
  done >"$work/gpu.yaml"
  ours create --filename "$work/gpu.yaml" >/dev/null 2>"$work/err" || check gpu failed - "$started" "pods are refused: $(tail -n 1 "$work/err")"
  within "$patience" ended gpu-
  for pair in $gpus; do
    for n in $(seq "${pair#*:}"); do gpu_result gpu "${pair%:*}" "gpu-${pair%:*}-$n-$token" "$first ran on GPU $n of ${pair#*:}"; done
  done
  ours delete pods --selector "deepsite-verify=$token" --wait=false >/dev/null 2>&1

  # Several CUDA releases side by side.
  if [ "${cuda#* }" != "$cuda" ]; then
    started=$(now)
    n=0
    for each in $cuda; do
      n=$((n + 1))
      gpu_pod "cuda-$n-$token" '' "$each"
    done >"$work/cuda.yaml"
    ours create --filename "$work/cuda.yaml" >/dev/null 2>"$work/err" || check cuda failed - "$started" "pods are refused: $(tail -n 1 "$work/err")"
    within "$patience" ended cuda-
    n=0
    for each in $cuda; do
      n=$((n + 1))
      gpu_result cuda - "cuda-$n-$token" "$each ran beside the others"
    done
  fi

  queue
  ours delete pods --selector "deepsite-verify=$token" --wait=false >/dev/null 2>&1
fi

# Service names, resolved in a pod.
started=$(now)
if [ -n "$alive" ]; then
  node=${alive##* }
  pod "dns-$token" "$node" 'nslookup kubernetes.default.svc.cluster.local' >"$work/dns.yaml"
  # Needs the cluster's DNS, whose pods may have just started.
  resolved() {
    ours delete pod "dns-$token" --ignore-not-found >/dev/null 2>&1
    ours create --filename "$work/dns.yaml" >/dev/null 2>"$work/err" && within 20 ended dns- && grep -q "^dns-$token Succeeded" "$work/phases"
  }
  if within "$patience" resolved; then
    check dns passed "$node" "$started" 'a pod finds a service by its name'
  else
    check dns failed "$node" "$started" "a pod does not find kubernetes.default: $(ours logs "dns-$token" 2>&1 | tail -n 1)"
  fi
fi

# A service of two pods, requested at every node's address from outside the cluster network while its pods are deleted one by
# one.
web=web-$token
cat >"$work/web.yaml" <<YAML
apiVersion: apps/v1
kind: Deployment
metadata: {name: "$web", labels: {deepsite-verify: "$token"}}
spec:
  replicas: 2
  strategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 1, maxUnavailable: 0}}
  selector: {matchLabels: {web: "$web"}}
  template:
    metadata: {labels: {web: "$web", deepsite-verify: "$token"}}
    spec:
      automountServiceAccountToken: false
      terminationGracePeriodSeconds: 5
      tolerations: [{operator: Exists}]
      affinity:
        podAntiAffinity:
          preferredDuringSchedulingIgnoredDuringExecution:
          - {weight: 100, podAffinityTerm: {topologyKey: kubernetes.io/hostname, labelSelector: {matchLabels: {web: "$web"}}}}
      containers:
      - name: web
        image: "$image"
        imagePullPolicy: IfNotPresent
        command: [sh, -c, "mkdir -p /tmp/www && echo $token >/tmp/www/index.html && exec httpd -f -p 8080 -h /tmp/www"]
        readinessProbe: {tcpSocket: {port: 8080}, periodSeconds: 1}
        resources: {requests: {cpu: 10m, memory: 16Mi}, limits: {memory: 64Mi}}
---
apiVersion: v1
kind: Service
metadata: {name: "$web", labels: {deepsite-verify: "$token"}}
spec: {type: NodePort, selector: {web: "$web"}, ports: [{port: 80, targetPort: 8080}]}
YAML
available() { [ "$(ours get deployment "$web" --output 'jsonpath={.status.availableReplicas}' 2>/dev/null)" = 2 ]; }
# Two pods are ready besides the deleted one, whose object remains until kubelet has cleaned up.
replaced() {
  [ "$(ours get pods --selector "web=$web" --output 'jsonpath={range .items[*]}{.metadata.name} {.metadata.deletionTimestamp} {.status.conditions[?(@.type=="Ready")].status}{"\n"}{end}' 2>/dev/null |
    awk -v old="$1" 'NF == 2 && $1 != old && $2 == "True"' | wc -l)" = 2 ]
}
page() { curl --silent --noproxy '*' --max-time 5 "http://$1:$port/" 2>/dev/null; }
answers() { [ "$(page "$1")" = "$token" ]; }
everywhere() {
  for address in $addresses; do
    answers "$address" || return 1
  done
}
rolled() { [ "$(ours get deployment "$web" --output 'jsonpath={.status.observedGeneration} {.status.updatedReplicas} {.status.replicas} {.status.availableReplicas}' 2>/dev/null)" = "$1 2 2 2" ]; }
renewed() {
  for address in $addresses; do
    [ "$(page "$address")" = "$token-new" ] || return 1
  done
}
# Another page by other pods, one more at a time. How many exist is not counted: controllers see each other's changes late.
rolling() {
  started=$(now)
  asked=0
  lost=0
  if ! ours patch deployment "$web" --patch "{\"spec\": {\"template\": {\"spec\": {\"containers\": [{\"name\": \"web\", \"command\": [\"sh\", \"-c\", \"mkdir -p /tmp/www && echo $token-new >/tmp/www/index.html && exec httpd -f -p 8080 -h /tmp/www\"]}]}}}}" >/dev/null 2>"$work/err"; then
    check rolling failed - "$started" "the API server refuses another template: $(tail -n 1 "$work/err")"
    return
  fi
  generation=$(ours get deployment "$web" --output 'jsonpath={.metadata.generation}')
  until rolled "$generation"; do
    if [ $(($(now) - started)) -gt $((patience * 1000)) ]; then
      check rolling failed - "$started" "the new pods have not replaced the old ones within $patience s"
      return
    fi
    for address in $addresses; do
      asked=$((asked + 1))
      case $(page "$address") in
      "$token" | "$token-new") ;;
      *) lost=$((lost + 1)) ;;
      esac
    done
  done
  if [ $lost -gt 0 ]; then
    check rolling failed - "$started" "$lost of $asked requests had no answer while other pods took over"
  elif ! within 30 renewed; then
    check rolling failed - "$started" "the page of the old pods is still answered"
  else
    check rolling passed - "$started" "other pods took over one by one; $asked requests, all answered"
  fi
}
started=$(now)
if [ -z "$alive" ]; then
  check node-port failed - "$started" 'no node runs pods'
elif ! ours create --filename "$work/web.yaml" >/dev/null 2>"$work/err"; then
  check node-port failed - "$started" "the API server refuses it: $(tail -n 1 "$work/err")"
elif ! within "$patience" available; then
  stuck=$(ours get pods --selector "web=$web" --output 'jsonpath={.items[0].metadata.name}' 2>/dev/null)
  check node-port failed - "$started" "its pods are not ready within $patience s: $(why "$stuck")"
else
  port=$(ours get service "$web" --output 'jsonpath={.spec.ports[0].nodePort}')
  if ! within 30 everywhere; then
    for address in $addresses; do
      answers "$address" || check node-port failed - "$started" "http://$address:$port/ does not answer"
    done
  else
    check node-port passed - "$started" "port $port answers on every node"
    started=$(now)
    lost=0
    asked=0
    stuck=''
    for old in $(ours get pods --selector "web=$web" --output 'jsonpath={.items[*].metadata.name}'); do
      ours delete pod "$old" --wait=false >/dev/null
      until replaced "$old"; do
        if [ $(($(now) - started)) -gt $((patience * 1000)) ]; then
          stuck=$old
          break 2
        fi
        for address in $addresses; do
          asked=$((asked + 1))
          answers "$address" || lost=$((lost + 1))
        done
      done
    done
    if [ -n "$stuck" ]; then
      check survives failed - "$started" "deleted pods are not replaced within $patience s"
    elif [ $lost -gt 0 ]; then
      check survives failed - "$started" "$lost of $asked requests had no answer while pods were deleted"
    else
      check survives passed - "$started" "both pods were deleted and replaced; $asked requests, all answered"
      rolling
    fi
  fi
fi

# Requests that site.yaml allows and denies; the API server decides.
request() { # answer user group request namespace
  set -- "$1" "$2" "$3" "${4% *}" "${4#* }" "$5"
  judged=$(api auth can-i "$4" "$5" --namespace "$6" --as "$2" ${3:+--as-group "$3" --as-group system:authenticated} 2>"$work/err")
  who=${3:-$2}
  # ABAC appends a reason.
  if [ "${judged%% *}" = "$1" ]; then
    case $1 in
    yes) check access passed - "$started" "$who may $4 $5 in $6" ;;
    *) check access passed - "$started" "$who may not $4 $5 in $6" ;;
    esac
  else
    check access failed - "$started" "asked whether $who may $4 $5 in $6, the API server says ${judged:-$(tail -n 1 "$work/err")}, site.yaml says $1"
  fi
}
started=$(now)
request 'yes' 'deepsite-verify' 'physics' 'create pods' 'physics'
started=$(now)
request 'no' 'deepsite-verify' 'physics' 'create rolebindings.rbac.authorization.k8s.io' 'physics'
started=$(now)
request 'no' 'deepsite-verify' 'physics' 'create pods' 'kube-system'

# The API answers at its endpoint address, also after the machine that holds the address releases it.
reached() { [ "$(curl --silent --insecure --noproxy '*' --max-time 2 "https://$endpoint:$endpoint_port/readyz" 2>/dev/null)" = ok ]; }
holds() { ip -oneline -4 address show | grep -q " $endpoint/"; }
moved() { ! holds && reached; }
if [ -n "$endpoint" ]; then
  started=$(now)
  if ! within 30 reached; then
    check endpoint failed - "$started" "https://$endpoint:$endpoint_port does not answer"
  elif ! within 30 holds; then
    # This machine has the highest priority for the address.
    check endpoint failed - "$started" "$endpoint answers, but this machine does not hold it: see systemctl status keepalived haproxy"
  else
    stopped=yes
    systemctl stop keepalived.service
    started=$(now)
    if within 30 moved; then
      check endpoint passed - "$started" "another machine took over $endpoint, and the API answers"
    else
      check endpoint failed - "$started" "no other machine took over $endpoint within 30 s"
    fi
    systemctl start keepalived.service
    stopped=''
  fi
fi
