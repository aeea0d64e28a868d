package io.deepsite.lxd;

import io.deepsite.provider.Design;
import io.deepsite.provider.Requirements;
import io.deepsite.provider.Requirements.Group;
import io.deepsite.provider.Requirements.SharedVolume;
import io.deepsite.provider.Resource;
import io.deepsite.provider.ResourceId;
import io.deepsite.provider.Sites;
import io.deepsite.provider.Survey;
import io.deepsite.provider.Tags;
import io.deepsite.site.MachineGroup;
import io.deepsite.site.Name;
import io.deepsite.site.ProviderSettings;
import io.deepsite.site.Site;
import io.deepsite.site.Size;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/**
 * Answers of a real LXD 5.0.2, recorded while a site {@code demo} of head and node-1 with a shared volume ran on it; the
 * cards are those of testbed/lxd/fake-gpu.
 */
final class Recorded {
    static final LxdPool POOL = new LxdPool("nova", "btrfs", Size.parse("20GiB"), Optional.empty(), Optional.empty());

    private Recorded() {}

    static Snapshot host() {
        return host(_ -> {});
    }

    interface Change {
        void to(ObjectNode snapshot);
    }

    /** The recording with changes. */
    static Snapshot host(Change change) {
        var tree = (ObjectNode) Json.MAPPER.readTree(text("host.json"));
        change.to(tree);
        return Rest.read(tree, Snapshot.class, "GET /");
    }

    static Snapshot hostWithCards() {
        return host(Recorded::addCards);
    }

    static void addCards(ObjectNode snapshot) {
        snapshot.set("cards", Json.MAPPER.readTree(text("cards.json")));
    }

    static void clear(ObjectNode snapshot) {
        snapshot.putArray("instances");
        snapshot.putObject("volumes");
        snapshot.putArray("leases");
    }

    static String text(String name) {
        try (var in = Recorded.class.getResourceAsStream("/recorded/" + name)) {
            return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static LxdSettings settings(LxdPool pool, String network) {
        return SampleSettings.at("unix:///var/lib/lxd/unix.socket", pool, network)
                .lxd();
    }

    static LxdSettings settings() {
        return settings(POOL, "lxdbr0");
    }

    /** The recorded site, with this many nodes. */
    static Site demo(int nodes) {
        return named("demo", nodes);
    }

    static Site named(String name, int nodes) {
        var groups = new LinkedHashMap<String, MachineGroup>();
        groups.put("head", Sites.single("debian/12", 1, "256MiB"));
        groups.put("node", Sites.many("debian/12", nodes, 1, "256MiB"));
        return Sites.site(name, settings(), groups);
    }

    static Requirements sharedHome() {
        var home = new Group(
                false,
                List.of(new SharedVolume("home", "/home", Optional.empty(), false)),
                List.of(),
                1,
                Optional.empty());
        return new Requirements(Map.of(new Name("head"), home, new Name("node"), home), List.of());
    }

    static Design compile(Snapshot snapshot, Site site, Requirements requirements) {
        return survey(snapshot, site).compile(site, requirements);
    }

    static Survey survey(Snapshot snapshot, Site site) {
        return new LxdSurvey(snapshot, (DaemonSettings) site.provider(), new Tags.Scope.OneSite(site.name()));
    }

    static Map<String, String> machine(Design design, String name) {
        return design.resources().stream()
                .filter(resource -> resource.id().equals(new ResourceId(ResourceId.MACHINE, name)))
                .findFirst()
                .map(Resource::values)
                .orElseThrow();
    }

    static Site with(Site site, ProviderSettings provider) {
        return new Site(
                site.name(),
                provider,
                site.lease(),
                site.machines(),
                site.clusters(),
                site.users(),
                site.usersFrom(),
                site.directory(),
                site.volumes(),
                site.ssh(),
                site.verify(),
                site.parameters(),
                site.mirrors(),
                site.proxy(),
                site.state());
    }
}
