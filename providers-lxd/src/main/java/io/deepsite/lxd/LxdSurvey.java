package io.deepsite.lxd;

import io.deepsite.provider.BackEnd;
import io.deepsite.provider.Design;
import io.deepsite.provider.ObservedResource;
import io.deepsite.provider.Requirements;
import io.deepsite.provider.Resource;
import io.deepsite.provider.Survey;
import io.deepsite.provider.Tags;
import io.deepsite.site.Site;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** A snapshot of an LXD host, and the resources that a site needs on it. */
final class LxdSurvey implements Survey {
    /** Digits of a fingerprint, as lxc shows them. */
    private static final int SHORT = 12;

    private final Snapshot snapshot;
    private final DaemonSettings settings;
    private final List<ObservedResource> owned;
    private final boolean refreshImages;

    LxdSurvey(Snapshot snapshot, DaemonSettings settings, Tags.Scope scope) {
        this(snapshot, settings, new Observation(snapshot, scope).owned(), false);
    }

    private LxdSurvey(Snapshot snapshot, DaemonSettings settings, List<ObservedResource> owned, boolean refreshImages) {
        this.snapshot = snapshot;
        this.settings = settings;
        this.owned = owned;
        this.refreshImages = refreshImages;
    }

    /** The certificate identifies a server or cluster, both by its socket and over https. */
    @Override
    public BackEnd backEnd() {
        var environment = snapshot.server().environment();
        var name = environment == null ? "" : environment.serverName();
        var certificate = environment == null ? "" : environment.certificateFingerprint();
        var project = ", project " + settings.project();
        return new BackEnd(
                "certificate " + certificate + project,
                settings.address() + " (" + name + ", certificate "
                        + certificate.substring(0, Math.min(SHORT, certificate.length())) + ")" + project);
    }

    @Override
    public Survey withImagesOfNow() {
        return new LxdSurvey(snapshot, settings, owned, true);
    }

    @Override
    public SortedSet<String> movedImages(Site site) {
        return ImageChoice.moved(snapshot, new Owned(snapshot, site.name()));
    }

    @Override
    public List<ObservedResource> owned() {
        return owned;
    }

    @Override
    public Design compile(Site site, Requirements requirements) {
        return new Compilation(snapshot, settings, site, requirements, refreshImages).design();
    }

    @Override
    public Optional<String> imageOf(Resource machine) {
        return Optional.ofNullable(machine.values().get(MachineAttributes.FINGERPRINT));
    }

    @Override
    public SortedSet<String> bakedImages() {
        return snapshot.images().stream()
                .filter(Image::isBaked)
                .flatMap(image -> image.aliases().stream())
                .map(Image.Alias::name)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Override
    public List<String> describe() {
        var lines = new ArrayList<String>();
        lines.add(server());
        lines.add(pool());
        lines.add(network());
        if (snapshot.cards().stream().anyMatch(Cards::isUsable)) {
            lines.add("GPUs: "
                    + String.join(
                            ", ",
                            snapshot.cards().stream()
                                    .filter(Cards::isUsable)
                                    .map(Cards::words)
                                    .sorted()
                                    .toList()));
        }
        return lines;
    }

    private String server() {
        var environment = snapshot.server().environment();
        return environment == null
                ? settings.address().toString()
                : settings.daemon() + " " + environment.serverVersion() + " at " + settings.endpoint() + " ("
                        + environment.serverName() + ", " + environment.osName() + " " + environment.osVersion() + ")";
    }

    private String pool() {
        var name = settings.pool().name();
        var pool = snapshot.pool(name);
        if (pool.isEmpty()) {
            return "pool " + name + ": not there yet";
        }
        return "pool " + name + ": " + pool.get().driver()
                + snapshot.space()
                        .map(Pool.Space::space)
                        .filter(space -> space.total() > 0)
                        .map(space -> ", " + gibibytes(space.used()) + " of " + gibibytes(space.total()) + " used")
                        .orElse("");
    }

    private String network() {
        var name = settings.network();
        return "network " + name + ": "
                + snapshot.network(name)
                        .map(network -> network.config().getOrDefault("ipv4.address", "no IPv4 subnet"))
                        .orElse("not there yet");
    }

    private static String gibibytes(long bytes) {
        return String.format(Locale.ROOT, "%.1f GiB", bytes / (double) (1L << 30));
    }
}
