package io.deepsite.cluster.slurm;

import io.deepsite.diag.Code;
import io.deepsite.site.Directory;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import io.deepsite.site.Size;
import io.deepsite.site.load.CheckContext;
import io.deepsite.site.load.Findings;
import io.deepsite.site.load.Places;
import io.deepsite.site.load.Wording;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** What must hold between the accounts, QOS and limits of a Slurm cluster. */
final class SlurmAccountChecks {
    private final CheckContext context;
    private final Site site;
    private final Places places;
    private final Findings findings;
    private final Slurm slurm;
    private final String path;
    private final SlurmAccounts accounts;

    /** @param path of the cluster in site.yaml */
    SlurmAccountChecks(CheckContext context, Slurm slurm, String path) {
        this.context = context;
        this.site = context.site();
        this.places = context.places();
        this.findings = context.findings();
        this.slurm = slurm;
        this.path = path;
        this.accounts = new SlurmAccounts(site, slurm);
    }

    void run() {
        memoryPerCpu(path, slurm.defaultMemoryPerCpu(), slurm.maxMemoryPerCpu());
        slurm.partitions()
                .forEach((name, partition) -> memoryPerCpu(
                        path + ".partitions." + name,
                        partition.defaultMemoryPerCpu(),
                        partition.maxMemoryPerCpu().or(slurm::maxMemoryPerCpu)));
        if (!slurm.accounting()) {
            for (String key : List.of("accounts", "qos", "priority", "preemption")) {
                findings.noEffect(
                        places, path + "." + key, "Slurm holds them in its accounting, and accounting is false.");
            }
            return;
        }
        slurm.qos().forEach((name, qos) -> qos(name, qos, path + ".qos." + name));
        slurm.accounts().forEach((name, account) -> account(name, account, path + ".accounts." + name));
        everyUserHasAnAccount();
        if (places.has(path + ".preemption")
                && slurm.qos().values().stream().allMatch(qos -> qos.preempts().isEmpty())) {
            findings.noEffect(places, path + ".preemption", "No QOS preempts another.");
        }
    }

    private void memoryPerCpu(String path, Optional<Size> standard, Optional<Size> most) {
        String place = path + ".defaultMemoryPerCpu";
        if (standard.isEmpty() || findings.isUnsound(place)) {
            return;
        }
        var given = standard.get();
        if (most.isPresent() && given.compareTo(most.get()) > 0) {
            findings.faultOnce(
                    Code.WRONG_ORDER,
                    places.of(place),
                    "A job that asks for no memory would get " + given + " for each processor, but more than "
                            + most.get() + " is not to be had.",
                    "Make defaultMemoryPerCpu at most " + most.get() + ".");
        }
        if (site.provider().machinesExist()) {
            return;
        }
        for (var group : slurm.compute()) {
            var machine = site.machines().get(group);
            if (machine != null
                    && given.compareTo(machine.memory()) > 0
                    && !findings.isUnsound("machines." + group + ".memory")) {
                findings.faultOnce(
                        Code.WRONG_ORDER,
                        places.of(place),
                        "A machine of " + group + " has " + machine.memory()
                                + ": no job that asks for no memory would run on it.",
                        "Make defaultMemoryPerCpu less than that.");
            }
        }
    }

    private void qos(Name name, Qos qos, String place) {
        if (name.equals(SlurmAccounts.NORMAL)) {
            findings.faultOnce(
                    Code.RESERVED_NAME,
                    places.ofKey(place),
                    "Slurm makes the QOS normal itself, for jobs that name none, and it has no limits.",
                    "Name it otherwise, and name that first in qos of the accounts.");
        }
        for (int i = 0; i < qos.preempts().size(); i++) {
            qosExists(qos.preempts().get(i), place + ".preempts[" + i + "]");
        }
        if (leadsBack(
                name,
                other -> Optional.ofNullable(slurm.qos().get(other)).map(Qos::preempts).stream()
                        .flatMap(Collection::stream))) {
            findings.faultOnce(
                    Code.NAMES_IN_A_CIRCLE,
                    places.of(place + ".preempts"),
                    "Jobs of the QOS " + name + " would make way for themselves, be it by way of others.",
                    "Let one of them preempt none.");
        }
        limits(qos.total(), place + ".total");
        limits(qos.perUser(), place + ".perUser");
        limits(qos.perAccount(), place + ".perAccount");
        perJob(qos.perJob(), place + ".perJob");
    }

    private void account(Name name, Account account, String place) {
        if (name.value().equals("root") || name.equals(site.name())) {
            findings.faultOnce(
                    Code.RESERVED_NAME,
                    places.ofKey(place),
                    name.value().equals("root")
                            ? "root is the account above all others, and Slurm makes it."
                            : "The account named as the site is that of acceptance jobs.",
                    "Name it otherwise.");
        }
        account.parent().ifPresent(parent -> parent(name, parent, place + ".parent"));
        for (int i = 0; i < account.users().size(); i++) {
            context.isThere(
                    "user", account.users().get(i), site.users().keySet(), "users", place + ".users[" + i + "]");
        }
        for (int i = 0; i < account.groups().size(); i++) {
            group(account.groups().get(i), place + ".groups[" + i + "]");
        }
        for (int i = 0; i < account.directoryGroups().size(); i++) {
            directoryGroup(account.directoryGroups().get(i), place + ".directoryGroups[" + i + "]");
        }
        for (int i = 0; i < account.qos().size(); i++) {
            qosExists(account.qos().get(i), place + ".qos[" + i + "]");
        }
        limits(account.total(), place + ".total");
        limits(account.perUser(), place + ".perUser");
        perJob(account.perJob(), place + ".perJob");
    }

    private void parent(Name name, Name parent, String place) {
        context.isThere("account", parent, slurm.accounts().keySet(), path + ".accounts", place);
        if (leadsBack(
                name, other -> Optional.ofNullable(slurm.accounts().get(other)).flatMap(Account::parent).stream())) {
            findings.faultOnce(
                    Code.NAMES_IN_A_CIRCLE,
                    places.of(place),
                    "The account " + name + " would be below itself.",
                    "Remove parent from the one that is at the top.");
        }
    }

    private void group(Name group, String place) {
        boolean someoneIsIn =
                site.users().values().stream().anyMatch(user -> user.groups().contains(group));
        if (!someoneIsIn && !findings.isUnsound("users") && !findings.isUnsound(place)) {
            findings.fault(
                    Code.NO_SUCH_USER_GROUP,
                    places.of(place),
                    "No user of this site is in the group " + group + ", so it would bring no user.",
                    "Add the group to a user's groups.");
        }
    }

    private void directoryGroup(String group, String place) {
        var allowed = site.directory().map(Directory::allow).orElse(List.of());
        if (!allowed.contains(group) && !findings.isUnsound("directory") && !findings.isUnsound(place)) {
            findings.faultOnce(
                    Code.NO_SUCH_USER_GROUP,
                    places.of(place),
                    site.directory().isEmpty()
                            ? "The site has no directory, so it would bring no user."
                            : "directory.allow does not have the group " + group + ": its members could not log in.",
                    site.directory().isEmpty()
                            ? "Describe the directory under directory, or name a group of the site's users in groups."
                            : Wording.didYouMean(group, allowed, "Add it to directory.allow, or remove it here."));
        }
    }

    private void qosExists(Name qos, String place) {
        if (!qos.equals(SlurmAccounts.NORMAL)) {
            context.isThere("QOS", qos, slurm.qos().keySet(), path + ".qos", place);
        }
    }

    /** Following the names from one leads to it again. */
    private static boolean leadsBack(Name start, Function<Name, Stream<Name>> next) {
        var seen = new HashSet<Name>();
        var open = new ArrayList<>(next.apply(start).toList());
        while (!open.isEmpty()) {
            var name = open.removeLast();
            if (name.equals(start)) {
                return true;
            }
            if (seen.add(name)) {
                next.apply(name).forEach(open::add);
            }
        }
        return false;
    }

    private void everyUserHasAnAccount() {
        if (slurm.accounts().isEmpty() || findings.isUnsound("users")) {
            return;
        }
        var counted = new HashSet<Name>();
        slurm.accounts().values().forEach(account -> counted.addAll(accounts.members(account)));
        site.users().keySet().stream()
                .filter(user -> !counted.contains(user))
                .forEach(user -> findings.faultOnce(
                        Code.NO_ACCOUNT,
                        places.ofKey("users." + user),
                        user + " is in no account of the cluster whose accounts are "
                                + Wording.allOf(slurm.accounts().keySet()) + ", and could submit no job.",
                        "Name the user, or one of their groups, in an account under " + path + ".accounts."));
    }

    private void limits(Limits limits, String place) {
        gpus(limits.gpus(), place);
        memory(limits.memory(), place);
    }

    private void perJob(JobLimits limits, String place) {
        gpus(limits.gpus(), place);
        memory(limits.memory(), place);
    }

    private void gpus(Optional<Integer> limit, String place) {
        boolean hasGpus = slurm.compute().stream()
                .map(site.machines()::get)
                .anyMatch(group -> group == null || !group.gpus().isEmpty());
        if (limit.isPresent() && !hasGpus && !findings.isUnsound("machines")) {
            findings.faultOnce(
                    Code.NO_GPU,
                    places.of(place + ".gpus"),
                    "No machine of " + Wording.allOf(slurm.compute()) + " has a GPU, so it would limit nothing.",
                    "Remove the key, or write gpus in one of these groups.");
        }
    }

    private void memory(Optional<Size> limit, String place) {
        slurm.defaultMemoryPerCpu()
                .filter(standard -> limit.isPresent() && limit.get().compareTo(standard) < 0)
                .ifPresent(standard -> findings.faultOnce(
                        Code.WRONG_ORDER,
                        places.of(place + ".memory"),
                        "Less than defaultMemoryPerCpu, which is " + standard
                                + ": every job that asks for no memory would be refused.",
                        "Make it at least " + standard + ", or lower defaultMemoryPerCpu."));
    }
}
