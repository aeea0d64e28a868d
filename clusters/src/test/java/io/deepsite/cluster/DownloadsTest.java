package io.deepsite.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.TestSites;
import io.deepsite.cluster.slurm.SlurmSite;
import io.deepsite.contract.Contents;
import io.deepsite.contract.Item;
import io.deepsite.render.ContractRenderer;
import io.deepsite.render.DeepsiteHome;
import io.deepsite.render.SiteScope;
import io.deepsite.render.TemplateRenderer;
import io.deepsite.site.Site;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Machines head, node-1, node-2 of debian/12. */
class DownloadsTest {
    private static final String SITE = """
            apiVersion: deepsite/v1
            site: lab
            provider: {lxd: {}}
            machines:
              head: {image: debian/12}
              node: {image: debian/12, count: 2}
            users:
              ann: {uid: 2001}
            """;

    @Test
    void aSiteThatSaysNothingHasNoSuchStage() {
        assertThat(TestSites.stages(site(""), SlurmSite.machines(2, true)))
                .extracting(Stage::role)
                .containsExactly("site_users");
    }

    @Test
    void comesBeforeEveryOtherStage() {
        var stages =
                TestSites.stages(site("proxy: {http: \"http://proxy.example:3128\"}\n"), SlurmSite.machines(2, true));

        assertThat(stages).extracting(Stage::role).containsExactly("downloads", "site_users");
        assertThat(stages.getFirst().hosts()).containsExactly("head", "node-1", "node-2");
        assertThat(stages.getLast().needs()).contains(Downloads.STAGE);
    }

    @Test
    void aMirrorTakesThePlaceOfTheArchivesOfTheImage() {
        var texts = texts("mirrors: {apt: {debian: \"http://mirror.example/debian\","
                + " debianSecurity: \"http://mirror.example/security\"}}\n");

        assertThat(texts)
                .containsOnlyKeys(
                        "/etc/apt/sources.list",
                        "/etc/apt/sources.list.d/debian.sources",
                        "/etc/apt/sources.list.d/deepsite.sources");
        assertThat(texts.get("/etc/apt/sources.list.d/deepsite.sources")).isEqualTo("""
                # Written by deepsite: mirrors.apt of the site.
                Types: deb
                URIs: http://mirror.example/debian
                Suites: bookworm bookworm-updates
                Components: main
                Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg

                Types: deb
                URIs: http://mirror.example/security
                Suites: bookworm-security
                Components: main
                Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
                """);
        assertThat(texts.get("/etc/apt/sources.list")).startsWith("#").hasLineCount(1);
    }

    @Test
    void aProxyIsSetForAptAndTheEnvironment() {
        var texts = texts(
                "proxy: {https: \"http://proxy.example:3128\", noProxy: [mirror.example, .lab.example, 10.0.0.0/8]}\n");

        assertThat(texts.get("/etc/apt/apt.conf.d/90deepsite-proxy")).isEqualTo("""
                // Written by deepsite: proxy of the site.
                Acquire::https::Proxy "http://proxy.example:3128";
                Acquire::http::Proxy::mirror.example "DIRECT";
                Acquire::https::Proxy::mirror.example "DIRECT";
                """);
        assertThat(texts.get("/etc/environment.d/90-deepsite-proxy.conf")).isEqualTo("""
                # Written by deepsite: proxy of the site.
                https_proxy=http://proxy.example:3128
                no_proxy=localhost,127.0.0.1,::1,mirror.example,.lab.example,10.0.0.0/8
                """);
        assertThat(texts.get("/etc/profile.d/deepsite-proxy.sh")).contains("\nexport https_proxy=http://proxy");
    }

    /** The head's files, by path. */
    private static Map<String, String> texts(String more) {
        var machines = SlurmSite.machines(2, true);
        var stage = TestSites.stages(site(more), machines).getFirst();
        var home = DeepsiteHome.find();
        var rendered = new ContractRenderer(home, new TemplateRenderer(home))
                .render(
                        stage.role(),
                        machines.getFirst(),
                        new SiteScope(machines),
                        stage.variables().get("head"));
        var contents = new Contents(new TreeMap<>(rendered.texts()));
        return rendered.contract().items().stream()
                .map(Item.File.class::cast)
                .collect(Collectors.toMap(Item.File::path, file -> contents.text(file.body())));
    }

    private static Site site(String more) {
        return TestSites.load("site.yaml", SITE + more, Map.of()).orFail();
    }
}
