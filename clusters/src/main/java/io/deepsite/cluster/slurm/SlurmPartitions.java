package io.deepsite.cluster.slurm;

import io.deepsite.cluster.Acceptance;
import io.deepsite.cluster.ClusterStages;
import io.deepsite.cluster.SiteStages;
import io.deepsite.cluster.Stage;
import io.deepsite.provider.Machine;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Whose jobs partitions take, and the QOS that limit them. */
record SlurmPartitions(SlurmAccounts accounts) {
    SlurmPartitions(Site site, Slurm slurm) {
        this(new SlurmAccounts(site, slurm));
    }

    /** A user of the site in an account that counts their jobs. */
    record Member(Name user, Name account) {}

    /** Active users, by account in the order of the site. */
    Stream<Member> members() {
        var site = accounts.site();
        return slurm().accounts().isEmpty()
                ? site.activeUsers().keySet().stream().map(user -> new Member(user, site.name()))
                : slurm().accounts().entrySet().stream()
                        .flatMap(entry -> accounts.members(entry.getValue()).stream()
                                .filter(site.activeUsers()::containsKey)
                                .map(user -> new Member(user, entry.getKey())));
    }

    /** QOS that users of an account may name, that of jobs without one first. */
    List<Name> qosOf(Name account) {
        if (!slurm().accounts().isEmpty()) {
            return accounts.qos(account);
        }
        var all = new ArrayList<>(List.of(SlurmAccounts.NORMAL));
        all.addAll(slurm().qos().keySet());
        return all;
    }

    static boolean takesGroups(Site site, Slurm.Partition partition, Name user) {
        var groups =
                new ArrayList<>(Objects.requireNonNull(site.users().get(user)).groups());
        groups.add(user);
        return partition.allowGroups().isEmpty()
                || partition.allowGroups().stream().anyMatch(groups::contains);
    }

    boolean takesAccount(Slurm.Partition partition, Name account) {
        return (partition.allowAccounts().isEmpty()
                        || below(partition.allowAccounts()).contains(account))
                && !below(partition.denyAccounts()).contains(account);
    }

    static boolean takesQos(Slurm.Partition partition, Name qos) {
        return (partition.allowQos().isEmpty() || partition.allowQos().contains(qos))
                && !partition.denyQos().contains(qos);
    }

    /** With the accounts below them: Slurm 22.05 counts those that are named only, newer releases the tree. */
    Set<Name> below(List<Name> named) {
        var all = new LinkedHashSet<>(named);
        slurm().accounts().keySet().stream()
                .filter(account -> accounts.chain(account).stream().anyMatch(named::contains))
                .forEach(all::add);
        return all;
    }

    /** As slurm.conf has it. */
    void put(Optional<Slurm.Partition> partition, Map<String, Object> variables) {
        variables.put(
                "qos", partition.flatMap(Slurm.Partition::qos).map(Name::value).orElse(""));
        variables.put("allow_qos", values(partition.map(Slurm.Partition::allowQos)));
        variables.put("deny_qos", values(partition.map(Slurm.Partition::denyQos)));
        variables.put("allow_accounts", values(partition.map(each -> List.copyOf(below(each.allowAccounts())))));
        variables.put("deny_accounts", values(partition.map(each -> List.copyOf(below(each.denyAccounts())))));
    }

    /** slurmctld ends where a QOS of a partition is missing, and takes no notice of one that comes later. */
    Optional<Stage> beforeController(Name cluster, Machine head) {
        var names = slurm().partitions().values().stream()
                .flatMap(partition -> Stream.of(
                                partition.qos().stream().toList(), partition.allowQos(), partition.denyQos())
                        .flatMap(List::stream))
                .filter(name -> !name.equals(SlurmAccounts.NORMAL))
                .distinct()
                .map(Name::value)
                .toList();
        return names.isEmpty()
                ? Optional.empty()
                : Optional.of(ClusterStages.stage(
                        cluster,
                        "slurm_partition_qos",
                        List.of(head),
                        _ -> Map.of(
                                "slurm_partition_qos_cluster",
                                cluster.value(),
                                "slurm_partition_qos_host",
                                Map.of("name", head.name(), "address", SiteStages.address(head)),
                                "slurm_partition_qos_names",
                                names),
                        List.of(cluster + ".slurm_accounting")));
    }

    /** A job that each partition takes, and one for each reason to refuse one, as far as users of the site can show it. */
    Optional<Acceptance> acceptance(Name cluster, String controller) {
        var jobs = new ArrayList<Map<String, Object>>();
        slurm().partitions().forEach((name, partition) -> {
            if (isClosedToSome(partition)) {
                job(
                                name,
                                partition,
                                "taken",
                                account -> takesAccount(partition, account),
                                qos -> takesQos(partition, qos))
                        .ifPresent(jobs::add);
                job(name, partition, "account", account -> !takesAccount(partition, account), _ -> true)
                        .ifPresent(jobs::add);
                job(
                                name,
                                partition,
                                "QOS",
                                account -> takesAccount(partition, account),
                                qos -> !takesQos(partition, qos))
                        .ifPresent(jobs::add);
            }
        });
        return jobs.isEmpty()
                ? Optional.empty()
                : Optional.of(new Acceptance(
                        cluster.value(),
                        slurm().kind(),
                        controller,
                        "slurm/verify-partitions.sh.j2",
                        new TreeMap<>(Map.of(
                                "slurm_verify_partitions_user",
                                SiteStages.VERIFY_USER,
                                "slurm_verify_partitions_jobs",
                                jobs))));
    }

    private static boolean isClosedToSome(Slurm.Partition partition) {
        return Stream.of(partition.allowQos(), partition.denyQos(), partition.allowAccounts(), partition.denyAccounts())
                .anyMatch(names -> !names.isEmpty());
    }

    private Optional<Map<String, Object>> job(
            Name name, Slurm.Partition partition, String what, Predicate<Name> account, Predicate<Name> qos) {
        return members()
                .filter(member ->
                        account.test(member.account()) && takesGroups(accounts.site(), partition, member.user()))
                .flatMap(member -> qosOf(member.account()).stream()
                        .filter(qos)
                        .map(each -> Map.<String, Object>of(
                                "partition", name.value(),
                                "user", member.user().value(),
                                "account", member.account().value(),
                                "qos", each.value(),
                                "what", what)))
                .findFirst();
    }

    private static List<String> values(Optional<List<Name>> names) {
        return names.orElse(List.of()).stream().map(Name::value).toList();
    }

    private Slurm slurm() {
        return accounts.slurm();
    }
}
