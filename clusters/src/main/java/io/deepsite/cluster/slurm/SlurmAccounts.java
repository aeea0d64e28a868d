package io.deepsite.cluster.slurm;

import io.deepsite.cluster.SiteStages;
import io.deepsite.site.Directory;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import io.deepsite.site.Size;
import io.deepsite.site.Span;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The accounting of a cluster as Slurm shall hold it. A site without accounts has one of its own, of all users; one with
 * accounts keeps that for acceptance jobs.
 */
record SlurmAccounts(Site site, Slurm slurm) {
    /** The QOS that Slurm makes itself. */
    static final Name NORMAL = new Name("normal");

    /** Users of an account, in the order of the site. */
    Set<Name> members(Account account) {
        var members = new LinkedHashSet<Name>();
        site.users().forEach((name, user) -> {
            if (account.users().contains(name) || user.groups().stream().anyMatch(account.groups()::contains)) {
                members.add(name);
            }
        });
        return members;
    }

    /** Groups of the directory whose members have an account; each once. */
    Set<String> directoryGroups() {
        return slurm.accounts().isEmpty()
                ? new LinkedHashSet<>(site.directory().map(Directory::allow).orElse(List.of()))
                : slurm.accounts().values().stream()
                        .flatMap(account -> account.directoryGroups().stream())
                        .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** The account and those above it, nearest first. A parent that is not there, or that is in the list already, ends it. */
    List<Name> chain(Name account) {
        var chain = new LinkedHashSet<Name>();
        for (var next = Optional.of(account);
                next.isPresent() && slurm.accounts().containsKey(next.get()); ) {
            if (!chain.add(next.get())) {
                break;
            }
            next = slurm.accounts().get(next.get()).parent();
        }
        return List.copyOf(chain);
    }

    /** The account and those above it, nearest first; none for the site's own. */
    List<Account> accountsOn(Name account) {
        return chain(account).stream().map(this::account).toList();
    }

    Account account(Name name) {
        return Objects.requireNonNull(slurm.accounts().get(name));
    }

    /** QOS that users of an account may name, that of jobs without one first. */
    List<Name> qos(Name account) {
        return accountsOn(account).stream()
                .map(Account::qos)
                .filter(qos -> !qos.isEmpty())
                .findFirst()
                .orElse(List.of(NORMAL));
    }

    /** Lines of {@code /etc/slurm/deepsite-accounts}: kind, names, and values as sacctmgr takes them. */
    List<String> entries() {
        var lines = new ArrayList<String>();
        if (isLimited()) {
            // A job that can never run is refused at once; otherwise it would wait for ever.
            lines.add(line("qos", NORMAL, Map.of("Flags", "DenyOnLimit")));
        }
        slurm.qos().forEach((name, qos) -> lines.add(line("qos", name, values(qos))));
        lines.add(line("account", site.name(), ofOwnAccount()));
        parentsFirst().forEach(name -> lines.add(line("account", name, values(account(name)))));
        if (slurm.accounts().isEmpty()) {
            site.users().keySet().forEach(user -> lines.add(user(site.name(), user.value(), Map.of())));
            site.directory()
                    .ifPresent(directory ->
                            directory.allow().forEach(group -> lines.add(group(site.name(), group, Map.of()))));
        }
        lines.add(user(site.name(), SiteStages.VERIFY_USER, Map.of()));
        slurm.accounts()
                .forEach((name, account) -> members(account)
                        .forEach(user -> lines.add(user(name, user.value(), ofEachUser(account.perUser())))));
        slurm.accounts()
                .forEach((name, account) -> account.directoryGroups()
                        .forEach(group -> lines.add(group(name, group, ofEachUser(account.perUser())))));
        return lines;
    }

    boolean isLimited() {
        return !slurm.accounts().isEmpty() || !slurm.qos().isEmpty();
    }

    /** Whether Slurm decides by accounts and QOS. Otherwise slurm.conf is that of deepsite 0.1: the first job in goes first. */
    static boolean counts(Slurm slurm) {
        return !slurm.accounts().isEmpty()
                || !slurm.qos().isEmpty()
                || !slurm.priority().equals(Priority.USUAL);
    }

    /** Whole minutes, a part of one as a whole. */
    static long minutes(Span span) {
        return (span.duration().toSeconds() + 59) / 60;
    }

    /** Slurm counts MiB, and takes no limit of none. */
    static long mebibytes(Size size) {
        return Math.max(1, size.mebibytes());
    }

    private List<Name> parentsFirst() {
        var sorted = new LinkedHashSet<Name>();
        slurm.accounts().keySet().forEach(name -> sorted.addAll(chain(name).reversed()));
        return List.copyOf(sorted);
    }

    private Map<String, String> ofOwnAccount() {
        if (slurm.qos().isEmpty()) {
            return Map.of();
        }
        var all = new ArrayList<>(List.of(NORMAL));
        all.addAll(slurm.qos().keySet());
        return qosValues(all);
    }

    private static Map<String, String> values(Qos qos) {
        var values = new LinkedHashMap<String, String>();
        values.put("Flags", "DenyOnLimit");
        values.put("Priority", String.valueOf(qos.priority()));
        if (!qos.preempts().isEmpty()) {
            values.put("Preempt", joined(qos.preempts()));
        }
        qos.graceTime().ifPresent(time -> values.put("GraceTime", SlurmConfiguration.time(time)));
        putTotal(values, qos.total());
        put(values, "MaxTRESPerUser", resources(qos.perUser()));
        putCount(values, "MaxJobsPerUser", qos.perUser().jobs());
        putCount(values, "MaxSubmitJobsPerUser", qos.perUser().submittedJobs());
        put(values, "MaxTRESPerAccount", resources(qos.perAccount()));
        putCount(values, "MaxJobsPerAccount", qos.perAccount().jobs());
        putCount(values, "MaxSubmitJobsPerAccount", qos.perAccount().submittedJobs());
        putPerJob(values, qos.perJob());
        return values;
    }

    private static Map<String, String> values(Account account) {
        var values = new LinkedHashMap<String, String>();
        values.put("Parent", account.parent().map(Name::value).orElse("root"));
        values.put("Fairshare", String.valueOf(account.fairShare()));
        if (!account.qos().isEmpty()) {
            values.putAll(qosValues(account.qos()));
        }
        putTotal(values, account.total());
        putPerJob(values, account.perJob());
        return values;
    }

    private static Map<String, String> qosValues(List<Name> qos) {
        var values = new LinkedHashMap<String, String>();
        values.put("QOS", joined(qos));
        values.put("DefaultQOS", qos.getFirst().value());
        return values;
    }

    private static Map<String, String> ofEachUser(Limits limits) {
        var values = new LinkedHashMap<String, String>();
        put(values, "GrpTRES", resources(limits));
        putCount(values, "MaxJobs", limits.jobs());
        putCount(values, "MaxSubmitJobs", limits.submittedJobs());
        return values;
    }

    private static void putTotal(Map<String, String> values, Limits limits) {
        put(values, "GrpTRES", resources(limits));
        putCount(values, "GrpJobs", limits.jobs());
        putCount(values, "GrpSubmitJobs", limits.submittedJobs());
    }

    private static void putPerJob(Map<String, String> values, JobLimits limits) {
        put(values, "MaxTRESPerJob", resources(limits.resources()));
        limits.time()
                .map(time -> new Span(Duration.ofMinutes(minutes(time))))
                .ifPresent(time -> values.put("MaxWall", SlurmConfiguration.time(time)));
    }

    private static String resources(Limits limits) {
        var parts = new ArrayList<String>();
        limits.cpus().ifPresent(count -> parts.add("cpu=" + count));
        limits.memory().ifPresent(size -> parts.add("mem=" + mebibytes(size)));
        limits.gpus().ifPresent(count -> parts.add("gres/gpu=" + count));
        limits.shards().ifPresent(count -> parts.add("gres/shard=" + count));
        limits.mps().ifPresent(count -> parts.add("gres/mps=" + count));
        limits.nodes().ifPresent(count -> parts.add("node=" + count));
        return String.join(",", parts);
    }

    private static void put(Map<String, String> values, String name, String value) {
        if (!value.isEmpty()) {
            values.put(name, value);
        }
    }

    private static void putCount(Map<String, String> values, String name, Optional<Integer> count) {
        count.ifPresent(number -> values.put(name, number.toString()));
    }

    private static String user(Name account, String user, Map<String, String> values) {
        return line("user", account + " " + user, values);
    }

    /** Of each member of a group of the directory. */
    private static String group(Name account, String group, Map<String, String> values) {
        return line("group", account + " " + group, values);
    }

    private static String line(String kind, Name name, Map<String, String> values) {
        return line(kind, name.value(), values);
    }

    private static String line(String kind, String names, Map<String, String> values) {
        var words = new ArrayList<>(List.of(kind, names));
        values.forEach((key, value) -> words.add(key + "=" + value));
        return String.join(" ", words);
    }

    private static String joined(List<Name> names) {
        return String.join(",", names.stream().map(Name::value).toList());
    }
}
