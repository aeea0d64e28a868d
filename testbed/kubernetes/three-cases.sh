# shellcheck shell=bash disable=SC2154
# Three control planes behind one address, and two workers. Sourced by testbed/lanes/kubernetes, which provides $kubernetes (the folder
# of binaries).

readonly three=check-kubernetes-three
readonly three_folder=$LANE_OUT/three
readonly three_network=ck-three
readonly shared=10.116.0.250

ds3() { (cd "$three_folder" && "$DEEPSITE_BIN" "$@"); }

on3() {
    local machine=$1
    shift
    "$LXD_EXEC" "$three-$machine" "$@"
}

# Calls the API through the shared address, from any machine of the control plane.
kubectl3() { on3 head-2 kubectl --kubeconfig /etc/kubernetes/admin.conf "$@"; }

# The control plane machines that are started members of etcd.
members() {
    on3 head-2 kubectl --kubeconfig /etc/kubernetes/admin.conf -n kube-system exec etcd-head-2 -- etcdctl --endpoints=https://127.0.0.1:2379 \
        --cacert=/etc/kubernetes/pki/etcd/ca.crt --cert=/etc/kubernetes/pki/etcd/healthcheck-client.crt \
        --key=/etc/kubernetes/pki/etcd/healthcheck-client.key member list | awk -F ', ' '{ print $2, $3 }' | sort
}

holder() {
    local machine
    for machine in head-1 head-2 head-3; do
        if on3 "$machine" ip -oneline -4 address show 2>/dev/null | grep -F " $shared/" >/dev/null; then echo "$machine"; fi
    done
}

holds_alone() { [ "$(holder)" = "$1" ]; }

shared_answers() { [ "$(curl --silent --insecure --noproxy '*' --max-time 2 "https://$shared:8443/readyz")" = ok ]; }

prepare_three() {
    rm -rf "$three_folder"
    mkdir -p "$three_folder"
    lane_network "$three_network" 10.116.0.1/24
    sed -e "s/^site: .*/site: $three/" -e "s/^    network: lxdbr0 /    network: $three_network /" -e "s#binaries: .*#binaries: $kubernetes#" \
        -e 's/^  head: {/&count: 3, /' \
        -e "s/^    workers: .*/&\n    endpoint: {virtualAddress: $shared}\n    drain: {patience: 20s}/" \
        site-examples/kubernetes-small/site.yaml >"$three_folder/site.yaml"
    grep -c -E "count: 3|virtualAddress|patience: 20s" "$three_folder/site.yaml" | grep -x 3
    ds3 validate site.yaml
}

three_members() { printf 'started head-%s\n' 1 2 3 | diff - <(members); }

# Five ready nodes, three members of etcd.
three_are_whole() {
    local node
    # Right after verify the shared address is moving back.
    wait_for holds_alone head-1
    for node in head-1 head-2 head-3 worker-1 worker-2; do echo "$node"; done | diff - <(kubectl3 get nodes -o name | sed 's#^node/##' | sort)
    kubectl3 wait --for=condition=Ready nodes --all --timeout=900s
    wait_for three_members
}

# verify stops the holder of the address, and calls the API through it.
makes_three() {
    ds3 apply site.yaml --yes 2>&1 | tee "$LANE_OUT/three-apply.txt"
    grep 'another machine took over 10.116.0.250' "$LANE_OUT/three-apply.txt"
    three_are_whole
    exits 0 ds3 plan site.yaml --detailed-exitcode
}

# Like a power cut: the address moves, and the cluster keeps working with two of three.
holder_is_lost() {
    local lost=$SECONDS
    lxc delete -f "$three-head-1"
    wait_for shared_answers
    say "the API answers at $shared $((SECONDS - lost)) s after its holder was lost"
    [ -n "$(holder)" ]
    wait_for kubectl3 --request-timeout=5s annotate namespace default --overwrite deepsite/written-by=two
    say "and accepts writes $((SECONDS - lost)) s after"
}

# The former first machine: another one lets it join again, after removing its etcd member.
first_is_replaced() {
    ds3 apply site.yaml --yes
    three_are_whole
    [ "$(on3 head-1 kubectl --kubeconfig /etc/kubernetes/admin.conf get namespace default -o 'jsonpath={.metadata.annotations.deepsite/written-by}')" = two ]
    exits 0 ds3 plan site.yaml --detailed-exitcode
}

# A certificate that expires in five days, with the same name, key and authority.
certificate_is_renewed() {
    local pki=/etc/kubernetes/pki name=apiserver-kubelet-client
    on3 head-3 sh -c "cd $pki && echo extendedKeyUsage=clientAuth >/root/usage &&
        openssl req -new -key $name.key -subj /O=system:masters/CN=kube-$name |
        openssl x509 -req -days 5 -CA ca.crt -CAkey ca.key -set_serial 7 -extfile /root/usage -out $name.new && mv $name.new $name.crt"
    exits 1 on3 head-3 openssl x509 -checkend 2592000 -noout -in "$pki/$name.crt"
    ds3 plan site.yaml | tee "$LANE_OUT/renew.txt"
    grep 'renews certificates that expire soon' "$LANE_OUT/renew.txt"
    ds3 apply site.yaml --yes
    on3 head-3 openssl x509 -checkend 2592000 -noout -in "$pki/$name.crt"
    on3 head-3 openssl verify -CAfile "$pki/ca.crt" "$pki/$name.crt"
    three_are_whole
}

# A pod that its budget blocks: it is named, and the worker stays.
budget_holds_a_worker() {
    kubectl3 create -f - <<'END'
apiVersion: apps/v1
kind: Deployment
metadata: {name: solver}
spec:
  selector: {matchLabels: {app: solver}}
  template:
    metadata: {labels: {app: solver}}
    spec:
      nodeName: worker-2
      terminationGracePeriodSeconds: 1
      containers: [{name: solver, image: docker.io/library/busybox:local, command: [sleep, "9999"]}]
---
apiVersion: policy/v1beta1
kind: PodDisruptionBudget
metadata: {name: never}
spec: {minAvailable: 1, selector: {matchLabels: {app: solver}}}
END
    kubectl3 rollout status deployment/solver --timeout=900s
    exits 1 ds3 scale worker=1 --yes --allow drain,wipe 2>"$LANE_OUT/held.txt"
    cat "$LANE_OUT/held.txt"
    grep 'default/solver-' "$LANE_OUT/held.txt"
    grep 'default/never' "$LANE_OUT/held.txt"
    [ "$(kubectl3 get node worker-2 -o 'jsonpath={.spec.unschedulable}')" = true ]
}

budget_goes() {
    kubectl3 delete poddisruptionbudget never
    ds3 scale worker=1 --yes --allow drain,wipe
    kubectl3 get nodes -o name | sed 's#^node/##' | sort | diff <(printf '%s\n' head-1 head-2 head-3 worker-1) -
}

destroys_three() {
    ds3 destroy site.yaml --yes --allow drain,wipe
    [ -z "$(resources_of "$three")" ]
}

three_control_planes() {
    lane_must 'a site of three control planes is valid' prepare_three
    lane_must 'three control planes share an address, which moves when its holder stops' makes_three
    lane_case 'the holder of the address is lost: the API answers again' holder_is_lost
    lane_case 'it is replaced: etcd has three members again' first_is_replaced
    lane_case 'a certificate that expires soon is renewed' certificate_is_renewed
    lane_case 'a disruption budget blocks a worker, and is named' budget_holds_a_worker
    lane_case 'without it the worker is removed' budget_goes
    lane_case 'destroy leaves nothing of the three' destroys_three
}
