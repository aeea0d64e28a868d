package io.deepsite.operations;

import io.deepsite.ansible.FakeAnsible;
import io.deepsite.apply.ApplyOptions;
import io.deepsite.apply.Cancel;
import io.deepsite.cluster.ClusterKinds;
import io.deepsite.cluster.slurm.SlurmKind;
import io.deepsite.contract.Contents;
import io.deepsite.contract.Item;
import io.deepsite.contract.Seen;
import io.deepsite.plan.DriftReport;
import io.deepsite.plan.Plan;
import io.deepsite.plan.UnknownResolver;
import io.deepsite.provider.FakeProvider;
import io.deepsite.provider.FakeProviderFactory;
import io.deepsite.provider.ObservedResource;
import io.deepsite.remote.HostFacts;
import io.deepsite.remote.ProbeAnswer;
import io.deepsite.remote.RemoteHost;
import io.deepsite.remote.SshTarget;
import io.deepsite.remote.SshTimes;
import io.deepsite.render.ContractJson;
import io.deepsite.render.DeepsiteHome;
import io.deepsite.report.SiteReport;
import io.deepsite.state.FileStores;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * A Slurm site of many machines on the provider in memory, planned and applied as a whole. A script takes the place of Ansible;
 * the hosts answer nothing but that they are there, and that the cluster works.
 */
public final class LargeSite implements AutoCloseable {
    public static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

    private static final Pattern NONCE = Pattern.compile("probe_begin '?([0-9a-f]+)");

    private final FakeProvider.Cloud cloud = new FakeProvider.Cloud();
    private final SiteContext context;
    /** What somebody changed on a host: fields of an item, by host and item. */
    private final Map<String, Map<String, Map<String, Object>>> changed = new HashMap<>();

    public LargeSite(Path folder, int nodes) throws IOException {
        var tools = Files.createDirectory(folder.resolve("tools"));
        FakeAnsible.PASSING.write(tools);
        var file = Files.createDirectory(folder.resolve("site")).resolve("site.yaml");
        Files.writeString(file, """
                apiVersion: deepsite/v1
                site: lab
                provider: {fake: {}}
                machines:
                  head: {image: debian/12, cpus: 2, memory: 2GiB}
                  node: {image: debian/12, count: %d, cpus: 1, memory: 1GiB}
                clusters:
                  hpc:
                    kind: slurm
                    controller: head
                    compute: [node]
                    accounting: true
                    home: {shared: true}
                """.formatted(nodes));
        var kinds = new ClusterKinds(List.of(new SlurmKind()), List.of(new FakeProviderFactory()));
        var runtime = new RuntimeContext(
                DeepsiteHome.find(),
                "1.0",
                Map.of("PATH", tools + ":/usr/bin:/bin"),
                folder,
                folder.resolve("root"),
                () -> NOW,
                SshTimes.USUAL,
                kinds,
                FileStores::new,
                _ -> {});
        var loaded = kinds.loader().load(file, Map.of());
        this.context =
                new SiteContext(file, loaded, runtime, _ -> new FakeProvider(cloud), Host::new, KillableSite.IN_CLEAR);
    }

    public Plan plan() {
        return new PlanOperation(context).plan();
    }

    public RunResult apply(Plan plan) {
        var options = new ApplyOptions(plan.consents(), Optional.empty(), Optional.empty());
        return new ApplyOperation(context, plan, options, _ -> {}, new Cancel()).run();
    }

    public StatusReport status() {
        return context.status();
    }

    /** As {@code deepsite report} reads it. */
    public SiteReport report() {
        return SiteReport.of(context.site(), context.state(), context.records(), "1.0", NOW);
    }

    /** Every secret of the site, in clear. */
    public List<String> secrets() {
        return context.secrets().names().stream()
                .map(name -> context.secrets().require(name).reveal())
                .toList();
    }

    /** Somebody changes an item of a host: the probe sees these values of it. */
    public void change(String host, String item, Map<String, Object> fields) {
        changed.computeIfAbsent(host, _ -> new HashMap<>()).put(item, fields);
    }

    public void stop(String machine) {
        cloud.setCondition("instance", "lab-" + machine, ObservedResource.Condition.STOPPED);
    }

    public void resize(String machine, int cpus) {
        cloud.tamper("instance", "lab-" + machine, "cpus", Integer.toString(cpus));
    }

    /** What differs from the state that the apply recorded, on hosts that hold all that was applied except for the changes. */
    public List<Plan.Drift> drift() {
        var state = context.state();
        var answers = new TreeMap<String, ProbeAnswer>();
        state.hosts().forEach((host, recorded) -> {
            var items = new TreeMap<String, Seen>();
            var done = new TreeSet<String>();
            recorded.roles().values().forEach(role -> {
                var contract = ContractJson.contract(role.contract());
                contract.items().forEach(item -> items.put(item.id(), seen(host, item)));
                contract.actions().forEach(action -> done.add(contract.role() + "/" + action.id()));
            });
            answers.put(host, new ProbeAnswer(facts(host), items, done, new TreeMap<>()));
        });
        return new DriftReport(
                        state,
                        context.survey(state).owned(),
                        answers,
                        UnknownResolver.NOTHING,
                        new Contents(new TreeMap<>()),
                        Map.of())
                .found();
    }

    private static HostFacts facts(String host) {
        return new HostFacts(
                "debian", "12", "bookworm", 1, 1024, "x86_64", host, "6", "", "b", Optional.empty(), 0, true);
    }

    private Seen seen(String host, Item item) {
        var fields = new TreeMap<String, Object>();
        for (var difference : item.differences(Seen.of(Map.of()))) {
            fields.put(difference.field(), difference.wanted());
        }
        fields.putAll(changed.getOrDefault(host, Map.of()).getOrDefault(item.id(), Map.of()));
        return Seen.of(fields);
    }

    @Override
    public void close() {
        context.close();
    }

    private record Host(SshTarget target) implements RemoteHost {
        @Override
        public int exec(
                List<String> argv, InputStream stdin, OutputStream stdout, OutputStream stderr, Duration limit) {
            try {
                var nonce = NONCE.matcher(new String(stdin.readAllBytes(), StandardCharsets.UTF_8));
                var answer = nonce.find()
                        ? "deepsite-probe 1 " + nonce.group(1) + "\n{\"n\":1,\"seen\":{}}\ndeepsite-probe end 1\n"
                        : "CHECK\tcluster-answers\tpassed\t-\t0.1\t\n";
                stdout.write(answer.getBytes(StandardCharsets.UTF_8));
                return 0;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void close() {}
    }
}
