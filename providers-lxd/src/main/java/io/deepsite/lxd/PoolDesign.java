package io.deepsite.lxd;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.provider.Resource;
import io.deepsite.provider.ResourceId;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The storage pool of a site: made if missing, managed if deepsite made it, else only used. */
final class PoolDesign {
    private final Snapshot snapshot;
    private final LxdPool settings;
    private final Owned owned;
    private final List<Diagnostic> faults;

    PoolDesign(Snapshot snapshot, LxdPool settings, Owned owned, List<Diagnostic> faults) {
        this.snapshot = snapshot;
        this.settings = settings;
        this.owned = owned;
        this.faults = faults;
    }

    /** Empty for a pool that deepsite did not make, or that cannot be used. */
    Optional<Resource> resource() {
        var id = new ResourceId(PoolAttributes.KIND, settings.name());
        var desired = new Resource(id, settings.name(), PoolAttributes.desired(settings), List.of());
        if (settings.driver().equals("dir")) {
            faults.add(dir("The site asks for a pool of driver dir."));
            return Optional.empty();
        }
        var found = snapshot.pool(settings.name());
        if (found.isEmpty()) {
            return hasDriver() && isAlone() ? Optional.of(desired) : Optional.empty();
        }
        var pool = found.get();
        if (pool.driver().equals("dir")) {
            faults.add(dir("The pool " + pool.name() + " exists, and its driver is dir."));
            return Optional.empty();
        }
        if (!owned.has(pool.config(), id)) {
            isUsable(pool);
            return Optional.empty();
        }
        checkUnchanged(pool, desired);
        return Optional.of(desired);
    }

    private Diagnostic dir(String what) {
        // A free name, so that the commands work as printed.
        var free = settings.name();
        for (int n = 2; snapshot.pool(free).isPresent(); n++) {
            free = settings.name() + "-" + n;
        }
        var name = free;
        return Diagnostic.error(
                Code.LXD_POOL_DIR,
                what + " Such a pool copies the whole image for every machine and cannot enforce disk limits.",
                "Make a pool of driver btrfs and name it in " + setting() + ", or use a new name there; deepsite then"
                        + " makes the pool.",
                "sudo apt-get install btrfs-progs",
                snapshot.at().daemon().client("storage create " + name + " btrfs size=" + settings.size()));
    }

    private String setting() {
        return snapshot.at().daemon().setting("pool.name");
    }

    private boolean hasDriver() {
        var environment = snapshot.server().environment();
        if (environment == null
                || environment.storageSupportedDrivers().stream()
                        .anyMatch(driver -> driver.name().equals(settings.driver()))) {
            return true;
        }
        var drivers = environment.storageSupportedDrivers().stream()
                .map(Server.StorageDriver::name)
                .collect(Collectors.joining(", "));
        faults.add(Diagnostic.error(
                Code.LXD_POOL_UNUSABLE,
                "deepsite cannot make the pool " + settings.name() + ": " + snapshot.at() + " has no storage driver "
                        + settings.driver() + "; it has: " + drivers + ".",
                "Install the driver's tools on " + snapshot.at().daemon().host()
                        + " and restart it, or choose another driver."));
        return false;
    }

    /** In a cluster each member has its own disk for the pool, which only its admin knows. */
    private boolean isAlone() {
        if (snapshot.members().isEmpty()) {
            return true;
        }
        faults.add(Diagnostic.error(
                Code.LXD_POOL_UNUSABLE,
                "deepsite cannot make the pool " + settings.name() + ": " + snapshot.at() + " is a cluster of "
                        + snapshot.members().size() + " members, each with its own settings.",
                "Make it there: once per member with --target, then once without. Or name an existing one."));
        return false;
    }

    private void isUsable(Pool pool) {
        if (!pool.status().equals("Created")) {
            faults.add(Diagnostic.error(
                    Code.LXD_POOL_UNUSABLE,
                    "The pool " + pool.name() + " is not ready: "
                            + snapshot.at().daemon() + " says " + pool.status() + ".",
                    "Fix the pool, or name another one in " + setting() + "."));
        }
    }

    private void checkUnchanged(Pool pool, Resource desired) {
        var seen = PoolAttributes.observed(pool);
        var wanted = desired.values();
        if (seen.equals(wanted)) {
            return;
        }
        faults.add(Diagnostic.error(
                Code.LXD_POOL_UNUSABLE,
                "The pool " + pool.name() + " was made as " + seen + "; the site now asks for " + wanted
                        + ". A pool cannot be changed in place.",
                "Restore the old value, or give the pool a new name; deepsite then makes its machines again there."));
    }
}
