package io.deepsite.cluster.slurm;

import io.deepsite.cluster.slurm.SlurmPartitions.Member;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * What acceptance asks of Slurm to prove limits: for each account and QOS that has some, a job at the limit and one beyond it, by
 * a user of the site. A limit that another, smaller one hides cannot be met, and is not asked for.
 */
final class SlurmLimitProofs {
    /** Held jobs of an array; Slurm takes no larger index. */
    private static final long MOST_SUBMITTED = 999;
    /** These run, so they need free processors. */
    private static final long MOST_RUNNING = 8;

    private static final long SMALL_MEMORY = 32;

    private final Site site;
    private final Slurm slurm;
    private final SlurmAccounts accounts;
    private final SlurmPartitions partitions;

    private enum What {
        CPUS("cpus"),
        MEMORY("MiB"),
        GPUS("gpus"),
        SHARDS("shards"),
        MPS("mps"),
        NODES("nodes"),
        TIME("minutes"),
        JOBS("jobs"),
        SUBMITTED("submitted jobs");

        private final String unit;

        What(String unit) {
            this.unit = unit;
        }
    }

    /** Whose job it is. */
    private record Route(Name user, Name account, Name qos, String partition) {}

    SlurmLimitProofs(Site site, Slurm slurm) {
        this.site = site;
        this.slurm = slurm;
        this.accounts = new SlurmAccounts(site, slurm);
        this.partitions = new SlurmPartitions(accounts);
    }

    /** By owner of limits; the variables of the acceptance script. */
    List<Map<String, Object>> all() {
        var proofs = new ArrayList<Map<String, Object>>();
        slurm.accounts()
                .forEach((name, account) -> users(name)
                        .findFirst()
                        .flatMap(
                                user -> route(user, accounts.qos(user.account()).getFirst()))
                        .ifPresent(route -> proof(
                                        "account " + name,
                                        route,
                                        List.of(of(account.total()), of(account.perUser()), of(account.perJob())))
                                .ifPresent(proofs::add)));
        slurm.qos()
                .forEach((name, qos) -> partitions
                        .members()
                        .filter(user -> partitions.qosOf(user.account()).contains(name))
                        .flatMap(user -> route(user, name).stream())
                        .findFirst()
                        .flatMap(route -> proof("QOS " + name, route, limits(qos)))
                        .ifPresent(proofs::add));
        slurm.partitions()
                .forEach((name, partition) -> partition
                        .qos()
                        .map(slurm.qos()::get)
                        .flatMap(qos -> partitions
                                .members()
                                .flatMap(user -> partitions.qosOf(user.account()).stream()
                                        .map(each -> new Route(user.user(), user.account(), each, name.value())))
                                .filter(route -> takes(partition, route))
                                .findFirst()
                                .flatMap(route -> proof("partition " + name, route, limits(qos))))
                        .ifPresent(proofs::add));
        return proofs;
    }

    private static List<Map<What, Long>> limits(Qos qos) {
        return List.of(of(qos.total()), of(qos.perUser()), of(qos.perAccount()), of(qos.perJob()));
    }

    /** Of an account, those of the accounts below it last. */
    private Stream<Member> users(Name account) {
        var below = slurm.accounts().keySet().stream()
                .filter(name -> !name.equals(account) && accounts.chain(name).contains(account));
        return Stream.concat(Stream.of(account), below).flatMap(this::members);
    }

    private Stream<Member> members(Name account) {
        return partitions.members().filter(member -> member.account().equals(account));
    }

    /** Empty for a user whom no partition lets in; through one without a QOS if there is one, since that would count first. */
    private Optional<Route> route(Member member, Name qos) {
        if (slurm.partitions().isEmpty()) {
            return Optional.of(new Route(member.user(), member.account(), qos, "batch"));
        }
        return slurm.partitions().entrySet().stream()
                .sorted(Comparator.comparing(entry -> entry.getValue().qos().isPresent()))
                .map(entry -> Map.entry(
                        new Route(
                                member.user(),
                                member.account(),
                                qos,
                                entry.getKey().value()),
                        entry.getValue()))
                .filter(entry -> takes(entry.getValue(), entry.getKey()))
                .map(Map.Entry::getKey)
                .findFirst();
    }

    private boolean takes(Slurm.Partition partition, Route route) {
        return SlurmPartitions.takesGroups(site, partition, route.user())
                && partitions.takesAccount(partition, route.account())
                && SlurmPartitions.takesQos(partition, route.qos());
    }

    private Optional<Map<String, Object>> proof(String owner, Route route, List<Map<What, Long>> own) {
        var probes = new ArrayList<Map<String, String>>();
        long running = 0;
        for (var what : What.values()) {
            var limit = effective(route, what);
            if (limit.isEmpty()
                    || own.stream().noneMatch(limits -> limits.getOrDefault(what, 0L) == limit.getAsLong())) {
                continue;
            }
            if (what == What.JOBS) {
                running = canRun(route, limit.getAsLong()) ? limit.getAsLong() : 0;
            } else if (canBeMet(route, what, limit.getAsLong())) {
                probes.add(Map.of(
                        "limit", limit.getAsLong() + " " + what.unit,
                        "admitted", options(what, limit.getAsLong()),
                        "refused", options(what, limit.getAsLong() + 1)));
            }
        }
        if (probes.isEmpty() && running == 0) {
            return Optional.empty();
        }
        return Optional.of(Map.of(
                "owner", owner,
                "user", route.user().value(),
                "account", route.account().value(),
                "qos", route.qos().value(),
                "partition", route.partition(),
                "memory", Math.min(SMALL_MEMORY, effective(route, What.MEMORY).orElse(SMALL_MEMORY)),
                "probes", probes,
                "running", running));
    }

    /** No other limit refuses a job at this one, and none but this one refuses a job just beyond. */
    private boolean canBeMet(Route route, What what, long limit) {
        long cpus = effective(route, What.CPUS).orElse(Long.MAX_VALUE);
        return switch (what) {
            case NODES ->
                limit < cpus
                        && (limit + 1) * SMALL_MEMORY
                                <= effective(route, What.MEMORY).orElse(Long.MAX_VALUE);
            case MEMORY ->
                memoryPerCpu(route.partition()).map(most -> limit / most < cpus).orElse(true);
            case SUBMITTED -> limit <= MOST_SUBMITTED;
            case CPUS, GPUS, SHARDS, MPS, TIME, JOBS -> true;
        };
    }

    /** So many small jobs run together, unless the cluster has other work. */
    private boolean canRun(Route route, long jobs) {
        return jobs <= MOST_RUNNING
                && together(route, What.CPUS).orElse(Long.MAX_VALUE) >= jobs
                && together(route, What.MEMORY).orElse(Long.MAX_VALUE) >= jobs * SMALL_MEMORY
                && together(route, What.NODES).orElse(Long.MAX_VALUE) >= jobs
                && together(route, What.SUBMITTED).orElse(Long.MAX_VALUE) > jobs;
    }

    private Optional<Long> memoryPerCpu(String partition) {
        return Optional.ofNullable(slurm.partitions().get(new Name(partition)))
                .flatMap(Slurm.Partition::maxMemoryPerCpu)
                .or(slurm::maxMemoryPerCpu)
                .map(SlurmAccounts::mebibytes);
    }

    private static String options(What what, long amount) {
        return switch (what) {
            case CPUS -> "--ntasks=" + amount;
            case MEMORY -> "--mem=" + amount;
            case GPUS -> "--gres=gpu:" + amount;
            case SHARDS -> "--gres=shard:" + amount;
            case MPS -> "--gres=mps:" + amount;
            case NODES -> "--nodes=" + amount + " --ntasks=" + amount;
            case TIME -> "--time=" + amount;
            case SUBMITTED, JOBS -> "--array=1-" + amount;
        };
    }

    /** The least of what counts on a route: a limit of the QOS counts instead of the same one of accounts. */
    private OptionalLong effective(Route route, What what) {
        var found = new ArrayList<Long>();
        together(route, what).ifPresent(found::add);
        qos(route).stream()
                .flatMap(qos -> get(of(qos.perJob()), what).stream())
                .findFirst()
                .or(() -> chain(route).stream()
                        .flatMap(account -> get(of(account.perJob()), what).stream())
                        .findFirst())
                .ifPresent(found::add);
        return found.stream().mapToLong(Long::longValue).min();
    }

    /** That of several jobs. */
    private OptionalLong together(Route route, What what) {
        var qos = qos(route);
        var chain = chain(route);
        var total = limit(qos, Qos::total, what);
        var perUser = limit(qos, Qos::perUser, what);
        var found = new ArrayList<Long>();
        total.or(() -> chain.stream()
                        .flatMap(account -> get(of(account.total()), what).stream())
                        .min(Long::compare))
                .ifPresent(found::add);
        perUser.ifPresent(found::add);
        limit(qos, Qos::perAccount, what).ifPresent(found::add);
        // Of a user in an account Slurm holds resources as a total, which that of the QOS replaces, and jobs as a limit
        // of users.
        boolean countsJobs = what == What.JOBS || what == What.SUBMITTED;
        if (!chain.isEmpty() && (countsJobs ? perUser : total).isEmpty()) {
            get(of(chain.getFirst().perUser()), what).ifPresent(found::add);
        }
        return found.stream().mapToLong(Long::longValue).min();
    }

    /** Whose limits count, the first one that has one: the partition's, and the job's. */
    private List<Qos> qos(Route route) {
        var partition = Optional.ofNullable(slurm.partitions().get(new Name(route.partition())))
                .flatMap(Slurm.Partition::qos);
        return Stream.concat(partition.stream(), Stream.of(route.qos()))
                .flatMap(name -> Optional.ofNullable(slurm.qos().get(name)).stream())
                .toList();
    }

    private List<Account> chain(Route route) {
        return accounts.accountsOn(route.account());
    }

    private static Optional<Long> limit(List<Qos> qos, Function<Qos, Limits> part, What what) {
        return qos.stream()
                .flatMap(each -> get(of(part.apply(each)), what).stream())
                .findFirst();
    }

    private static Optional<Long> get(Map<What, Long> limits, What what) {
        return Optional.ofNullable(limits.get(what));
    }

    private static Map<What, Long> of(Limits limits) {
        var values = new EnumMap<What, Long>(What.class);
        limits.cpus().ifPresent(count -> values.put(What.CPUS, count.longValue()));
        limits.memory().ifPresent(size -> values.put(What.MEMORY, SlurmAccounts.mebibytes(size)));
        limits.gpus().ifPresent(count -> values.put(What.GPUS, count.longValue()));
        limits.shards().ifPresent(count -> values.put(What.SHARDS, count.longValue()));
        limits.mps().ifPresent(count -> values.put(What.MPS, count.longValue()));
        limits.nodes().ifPresent(count -> values.put(What.NODES, count.longValue()));
        limits.jobs().ifPresent(count -> values.put(What.JOBS, count.longValue()));
        limits.submittedJobs().ifPresent(count -> values.put(What.SUBMITTED, count.longValue()));
        return values;
    }

    private static Map<What, Long> of(JobLimits limits) {
        var values = of(limits.resources());
        limits.time().ifPresent(time -> values.put(What.TIME, SlurmAccounts.minutes(time)));
        return values;
    }
}
