package io.deepsite.opennebula;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.TestSites;
import io.deepsite.provider.Boot;
import io.deepsite.provider.Call;
import io.deepsite.provider.Design;
import io.deepsite.provider.Designs;
import io.deepsite.provider.ObservedResource;
import io.deepsite.provider.Resource;
import io.deepsite.provider.Tags;
import io.deepsite.provider.Tags.Scope.OneSite;
import io.deepsite.site.Site;
import io.deepsite.site.load.Golden;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example, from its plan to nothing. */
final class ExampleSiteTest {
    private static final Path EXAMPLE = Path.of("../site-examples/slurm-opennebula");
    private static final List<String> ORDER = List.of(Kinds.SECURITY_GROUP, Kinds.IMAGE, Kinds.VOLUME, Kinds.VM);

    @TempDir
    private Path folder;

    private static Design compile(OpenNebulaProvider provider, Site site) {
        return provider.survey(new OneSite(site.name())).compile(site, TestSites.requirements(site));
    }

    @Test
    void needsExactlyThisAndLeavesNothing() {
        var site = TestSites.load(EXAMPLE.resolve("site.yaml"), Map.of()).orFail();
        var tags = new Tags(site.name(), "11111111-2222-3333-4444-555555555555", Optional.empty());
        try (var front = StandIn.start("6.8.3", folder.resolve("state"));
                var provider = Fronts.provider(front, site)) {
            var design = compile(provider, site);
            Golden.assertSame(EXAMPLE.resolve("plan.txt"), Designs.words(design));

            var resources = new ArrayList<>(design.resources());
            resources.sort(
                    Comparator.comparing(resource -> ORDER.indexOf(resource.id().kind())));
            resources.forEach(resource -> provider.create(resource, tags, Boot.NONE, Call.QUIET));

            assertThat(compile(provider, site)).as("made, it stays as it is").isEqualTo(design);
            var owned =
                    new ArrayList<>(provider.survey(new OneSite(site.name())).owned());
            assertThat(owned.stream()
                            .collect(Collectors.toMap(ObservedResource::id, seen -> Map.copyOf(seen.attributes()))))
                    .isEqualTo(resources.stream()
                            .collect(Collectors.toMap(Resource::id, resource -> Map.copyOf(resource.values()))));
            assertThat(provider.survey(new OneSite(site.name())).describe())
                    .anyMatch(line -> line.contains("version 6.8.3"))
                    .anyMatch(line -> line.contains("kvm-1: 12 cpus"));

            owned.sort(Comparator.comparingInt(ObservedResource::removal));
            owned.forEach(seen -> provider.delete(seen, Call.QUIET));
            assertThat(front.cloud().all("vm")).isEmpty();
            assertThat(front.cloud().all("secgroup")).isEmpty();
            assertThat(front.cloud().all("image")).hasSize(1);
        }
    }
}
