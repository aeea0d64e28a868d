package io.deepsite.opennebula;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.opennebula.oca.Element;
import io.deepsite.opennebula.oca.ErrorCode;
import io.deepsite.opennebula.oca.OneException;
import io.deepsite.opennebula.oca.OneVersion;
import io.deepsite.parallel.Fanout;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Reads a {@link Snapshot}: one list per family, all at once. */
final class SnapshotReader {
    private static final int FAMILIES = 10;

    private final Api api;
    private final String front;
    private final OpenNebulaSettings settings;

    /** @param front how messages name the front-end */
    SnapshotReader(Api api, String front, OpenNebulaSettings settings) {
        this.api = api;
        this.front = front;
        this.settings = settings;
    }

    Snapshot read() {
        var version = known();
        boolean apps = settings.images().values().stream()
                .anyMatch(image -> image.app().isPresent());
        boolean templates = settings.groups().values().stream()
                .anyMatch(group -> group.template().isPresent());
        try (var threads = new Fanout(FAMILIES)) {
            var vms = threads.start(api::allVms);
            var networks = threads.start(this::networks);
            var images = threads.start(api::allImages);
            var groups = threads.start(() -> list(api.securityGroups()::all));
            var hosts = threads.start(() -> list(api.hosts()::all));
            var clusters = threads.start(() -> list(api.hosts()::clusters));
            var datastores = threads.start(() -> list(api.images()::datastores));
            var vmTemplates = threads.start(() -> templates ? list(api.templates()::all) : List.<Element>of());
            var marketApps = threads.start(() -> apps ? list(api.templates()::apps) : List.<Element>of());
            var account = threads.start(this::account);
            return new Snapshot(
                    front,
                    version,
                    vms.get(),
                    networks.get(),
                    images.get(),
                    groups.get().stream().map(Read::securityGroup).toList(),
                    hosts.get().stream().map(Read::host).toList(),
                    clusters.get().stream().map(Read::named).toList(),
                    datastores.get().stream().map(Read::datastore).toList(),
                    vmTemplates.get().stream().map(Read::template).toList(),
                    marketApps.get().stream()
                            .filter(SnapshotReader::isImage)
                            .map(Read::named)
                            .toList(),
                    account.get().user(),
                    account.get().quotas());
        }
    }

    /** Other apps hold several machines, or whole services. */
    private static boolean isImage(Element app) {
        return app.number("TYPE") == 1;
    }

    private OneVersion known() {
        var version = api.version();
        if (!version.atLeast(OneVersion.V5_6) || version.atLeast(OneVersion.V8_0)) {
            throw new Failure(Diagnostic.error(
                    Code.OPENNEBULA_VERSION,
                    front + " is version " + version + "; deepsite supports 5.6 to 7.",
                    version.atLeast(OneVersion.V8_0)
                            ? "Use a newer deepsite. deepsite read nothing but the version."
                            : "Upgrade OpenNebula. deepsite read nothing but the version."));
        }
        return version;
    }

    /** Empty if the user has no right to list them. */
    private static List<Element> list(Supplier<List<Element>> all) {
        try {
            return all.get();
        } catch (OneException.Refused e) {
            if (e.kind() == ErrorCode.AUTHORIZATION) {
                return List.of();
            }
            throw e;
        }
    }

    /** Reads the leases of networks that this site may use separately: a list omits them. */
    private List<Snapshot.Network> networks() {
        var existing = settings.network().existing();
        return api.allNetworks().stream()
                .map(network -> existing.filter(name -> isNamed(network, name)).isPresent()
                                || network.ownership().isPresent()
                        ? Read.network(api.networks().info(network.id()))
                        : network)
                .toList();
    }

    private static boolean isNamed(Snapshot.Network network, String name) {
        return network.name().equals(name) || String.valueOf(network.id()).equals(name);
    }

    private record Account(int user, Quotas quotas) {}

    private Account account() {
        var user = api.accounts().myself();
        return new Account(user.id(), Quotas.of(user, group(user)));
    }

    /** Empty if the user has no right to see it. */
    private Optional<Element> group(Element user) {
        try {
            return Optional.of(api.accounts().group((int) user.number("GID")));
        } catch (OneException.Refused e) {
            if (e.kind() == ErrorCode.AUTHORIZATION) {
                return Optional.empty();
            }
            throw e;
        }
    }
}
