package io.deepsite.cluster.slurm;

import io.deepsite.diag.Code;
import io.deepsite.site.Name;
import io.deepsite.site.load.CheckContext;
import io.deepsite.site.load.Findings;
import io.deepsite.site.load.Places;
import java.util.Collection;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Whether accounts and QOS that partitions name exist, and let somebody in. */
final class SlurmPartitionChecks {
    private static final List<String> KEYS = List.of("qos", "allowQos", "denyQos", "allowAccounts", "denyAccounts");

    private final CheckContext context;
    private final Places places;
    private final Findings findings;
    private final Slurm slurm;
    private final String path;
    private final SlurmPartitions partitions;

    /** @param path of the cluster in site.yaml */
    SlurmPartitionChecks(CheckContext context, Slurm slurm, String path) {
        this.context = context;
        this.places = context.places();
        this.findings = context.findings();
        this.slurm = slurm;
        this.path = path;
        this.partitions = new SlurmPartitions(context.site(), slurm);
    }

    void run() {
        slurm.partitions().forEach((name, partition) -> {
            var place = path + ".partitions." + name;
            if (!slurm.accounting()) {
                KEYS.forEach(key -> findings.noEffect(
                        places,
                        place + "." + key,
                        "Slurm knows accounts and QOS by its accounting, and that is false."));
                return;
            }
            partition.qos().ifPresent(qos -> qosExists(qos, place + ".qos"));
            each(partition.allowQos(), place + ".allowQos", this::qosExists);
            each(partition.denyQos(), place + ".denyQos", this::qosExists);
            each(partition.allowAccounts(), place + ".allowAccounts", this::accountExists);
            each(partition.denyAccounts(), place + ".denyAccounts", this::accountExists);
            somebodyMayEnter(name, partition, place);
        });
    }

    private interface Check {
        void at(Name name, String place);
    }

    private static void each(List<Name> names, String place, Check check) {
        for (int i = 0; i < names.size(); i++) {
            check.at(names.get(i), place + "[" + i + "]");
        }
    }

    private void qosExists(Name qos, String place) {
        if (!qos.equals(SlurmAccounts.NORMAL)) {
            context.isThere("QOS", qos, slurm.qos().keySet(), path + ".qos", place);
        }
    }

    private void accountExists(Name account, String place) {
        if (!account.equals(context.site().name())) {
            context.isThere("account", account, slurm.accounts().keySet(), path + ".accounts", place);
        }
    }

    private void somebodyMayEnter(Name name, Slurm.Partition partition, String place) {
        if (Stream.of(path + ".accounts", path + ".qos", place).anyMatch(findings::isUnsound)
                || anyUnsound(partition.allowQos(), place + ".allowQos")
                || anyUnsound(partition.denyQos(), place + ".denyQos")
                || anyUnsound(partition.allowAccounts(), place + ".allowAccounts")
                || anyUnsound(partition.denyAccounts(), place + ".denyAccounts")
                || accounts().stream()
                        .filter(account -> partitions.takesAccount(partition, account))
                        .anyMatch(account -> partitions.qosOf(account).stream()
                                .anyMatch(qos -> SlurmPartitions.takesQos(partition, qos)))) {
            return;
        }
        findings.faultOnce(
                Code.PARTITION_CLOSED,
                places.ofKey(place),
                "No account of the cluster may use the partition " + name + " with a QOS that it has.",
                "Allow more in the partition, or write its QOS in qos of the accounts.");
    }

    private boolean anyUnsound(List<Name> names, String place) {
        return IntStream.range(0, names.size()).anyMatch(i -> findings.isUnsound(place + "[" + i + "]"));
    }

    private Collection<Name> accounts() {
        return slurm.accounts().isEmpty()
                ? List.of(context.site().name())
                : slurm.accounts().keySet();
    }
}
