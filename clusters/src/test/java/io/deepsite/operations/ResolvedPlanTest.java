package io.deepsite.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.deepsite.TestSites;
import io.deepsite.contract.Digests;
import io.deepsite.contract.Unknowns;
import io.deepsite.diag.DiagnosticPrinter;
import io.deepsite.diag.Failure;
import io.deepsite.plan.Facts;
import io.deepsite.plan.Plan;
import io.deepsite.plan.PlanJson;
import io.deepsite.plan.Planner;
import io.deepsite.plan.ResolvedPlan;
import io.deepsite.plan.Step;
import io.deepsite.plan.UnknownResolver;
import io.deepsite.provider.Design;
import io.deepsite.provider.FakeProvider;
import io.deepsite.provider.Sites;
import io.deepsite.provider.Tags;
import io.deepsite.remote.HostFacts;
import io.deepsite.render.DeepsiteHome;
import io.deepsite.site.load.Golden;
import io.deepsite.state.OpenSshKey;
import io.deepsite.state.SiteState;
import io.deepsite.state.StateFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Resolving only fills in values: for every example, the resolved plan without its digests equals the saved plan. */
class ResolvedPlanTest {
    private static final String FACT = "\u0001fact:";
    private static final String ESCAPED = "\\u0001fact:";
    private static final String PAIR =
            OpenSshKey.generate("test", new SecureRandom()).privateKey().reveal();
    private static final String A_FACT = "\\x01fact:[a-z0-9-]+:[a-z_]+\\x02";

    static Stream<Path> examples() throws IOException {
        try (var folders = Files.list(Path.of("../site-examples"))) {
            return folders.map(folder -> folder.resolve("site.yaml")).filter(Files::exists).sorted().toList().stream();
        }
    }

    @ParameterizedTest
    @MethodSource("examples")
    void closingFillsInDigestsAndNothingElse(Path example) {
        var known = example(example, true);

        var closed = ResolvedPlan.of(known.plan(), known.resolver());

        assertOnlyFilled(tree(known.plan()), tree(closed), "");
        assertThat(known.plan().unknowns()).allMatch(unknown -> unknown.fact().equals(Unknowns.HOST_KEY));
    }

    @ParameterizedTest
    @MethodSource("examples")
    void closingFillsInFactsWhereAddressesComeLate(Path example) {
        var open = example(example, false);
        var known = example(example, true);

        var closed = ResolvedPlan.of(open.plan(), open.resolver());

        assertThat(open.plan().unknowns()).isNotEmpty();
        assertOnlyFilled(tree(open.plan()), tree(closed), "");
        assertThat(tree(closed).path("steps").toString()).doesNotContain(ESCAPED);
        assertThat(PlanJson.write(closed)).doesNotContain(Digests.sha256("a secret"), "a secret");
        // Once the addresses are known, the roles equal those applied.
        assertThat(fingerprints(closed)).isEqualTo(fingerprints(ResolvedPlan.of(known.plan(), known.resolver())));
    }

    @ParameterizedTest
    @MethodSource("examples")
    void aMissingFactStopsTheRunBeforeAnyConfiguration(Path example) {
        var open = example(example, false);

        var failure = catchThrowableOfType(
                Failure.class,
                () -> ResolvedPlan.of(
                        open.plan(), new UnknownResolver(open.resolver().secrets(), Map.of(), Map.of(), d -> d)));

        if (example.getParent().endsWith("quickstart")) {
            Golden.assertSame(
                    Path.of("src/test/resources/golden/faults/plan/DS4017-fact-missing/stderr.txt"),
                    failure.diagnostics().stream().map(DiagnosticPrinter::print).collect(Collectors.joining("\n")));
        }
        assertThat(failure.diagnostics()).isNotEmpty();
    }

    private record Example(Plan plan, UnknownResolver resolver) {}

    private static Example example(Path file, boolean addresses) {
        var site = TestSites.load(file, Map.of()).orFail();
        var design = new FakeProvider()
                .survey(new Tags.Scope.OneSite(site.name()))
                .compile(site, TestSites.requirements(site));
        var facts = new TreeMap<>(Facts.of(design.machines(), Map.<String, HostFacts>of()));
        design.machines().forEach(machine -> facts.put(Facts.hostKey(machine.name()), "ssh-ed25519 AAAA"));
        if (!addresses) {
            design = new Design(
                    design.resources(),
                    design.machines().stream().map(Sites::withoutAddress).toList());
        }
        var home = DeepsiteHome.find();
        var desired = new DesiredStateBuilder(site, TestSites.ALL, home, Map.of())
                .from(design, new KeptRendering(StateFolder.of(file, "of-no-site"), home));
        var secrets = new TreeMap<String, String>();
        desired.secrets().forEach(name -> secrets.put(name, name.endsWith("_ssh_key") ? PAIR : "a secret"));
        var plan = Planner.plan(new Planner.Input(
                site.name(),
                Optional.empty(),
                "1.0",
                SiteState.fresh(site.name().value(), "1.0"),
                desired,
                List.of(),
                Map.of(),
                Map.of(),
                UnknownResolver.NOTHING,
                Set.of(),
                false));
        return new Example(plan, new UnknownResolver(secrets, Map.of(), facts, digest -> "hmac:" + digest.hashCode()));
    }

    private static Map<String, String> fingerprints(Plan plan) {
        return plan.steps().stream()
                .filter(Step.OfRole.class::isInstance)
                .map(Step.OfRole.class::cast)
                .collect(Collectors.toMap(Step.OfRole::id, Step.OfRole::fingerprint));
    }

    private static JsonNode tree(Plan plan) {
        return new JsonMapper().readTree(PlanJson.write(plan));
    }

    private static void assertOnlyFilled(JsonNode saved, JsonNode closed, String at) {
        assertThat(closed.getNodeType()).as(at).isEqualTo(saved.getNodeType());
        if (saved.isObject()) {
            assertThat(closed.propertyNames()).as(at).containsExactlyElementsOf(saved.propertyNames());
            for (var name : saved.propertyNames()) {
                if (isDigest(saved, name)) {
                    assertThat(closed.path(name)).as(at + "/" + name).isNotEqualTo(saved.path(name));
                } else {
                    assertOnlyFilled(saved.path(name), closed.path(name), at + "/" + name);
                }
            }
        } else if (saved.isArray()) {
            assertThat(closed.size()).as(at).isEqualTo(saved.size());
            for (int i = 0; i < saved.size(); i++) {
                assertOnlyFilled(saved.path(i), closed.path(i), at + "/" + i);
            }
        } else if (at.startsWith("/steps/") && saved.asString("").contains(FACT)) {
            assertThat(closed.asString()).as(at).matches(pattern(saved.asString()));
        } else {
            assertThat(closed).as(at).isEqualTo(saved);
        }
    }

    /** Whether this is the digest of a file, or the fingerprint of a contract, with an unknown in it. */
    private static boolean isDigest(JsonNode object, String name) {
        return switch (name) {
            case "body" ->
                object.path("type").asString("").equals("file")
                        && object.path("secrets").size()
                                        + object.path("unknowns").size()
                                > 0;
            case "fingerprint" ->
                object.path("step").asString("").equals("role")
                        && (object.path("contract").toString().contains("\"fact\"")
                                || object.path("contract").toString().contains(ESCAPED));
            default -> false;
        };
    }

    /** Matches any value in place of a fact. */
    private static String pattern(String text) {
        return Stream.of(text.split(A_FACT, -1)).map(Pattern::quote).collect(Collectors.joining("[0-9a-z.:]+"));
    }
}
