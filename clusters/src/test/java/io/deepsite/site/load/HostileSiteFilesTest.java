package io.deepsite.site.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deepsite.TestSites;
import io.deepsite.cluster.builtin.BuiltInKinds;
import io.deepsite.cluster.mesos.WorkLoader;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that were made to be hard to read: circles, masses, long values. */
class HostileSiteFilesTest {
    private static final String SITE = """
            apiVersion: deepsite/v1
            site: demo
            provider: {lxd: {}}
            machines:
              node: {image: debian/12, count: 2}
            """;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "? &k {? *k : 1}",
                "? &k [*k]\n: 1",
                "&k {site: *k}",
                "site: &k [*k]",
                "machines: &k {a: {b: [*k]}}",
                "a: 1\n---\n? &k {? *k : 1}",
                "? ? ? ? a\n"
            })
    void whatHoldsItselfIsRefused(String text) {
        assertThat(load(text).diagnostics())
                .isNotEmpty()
                .allSatisfy(each -> assertThat(each.where()).isNotNull());
        assertThat(load(text).site()).isEmpty();
    }

    @Test
    void aCircleIsToldWhereItBegins() {
        assertThat(load("site: demo\nmachines: &all {a: {b: *all}}").diagnostics())
                .singleElement()
                .satisfies(each -> {
                    assertThat(each.code()).isEqualTo(Code.TOO_COMPLEX);
                    assertThat(each.why()).contains("*all");
                    assertThat(each.where()).isNotNull();
                    assertThat(each.where().line()).isEqualTo(2);
                });
    }

    @Test
    void aliasesDoNotMultiply() {
        String big = "users: &u [" + "a, ".repeat(30_000) + "b]\n";
        String text =
                big + IntStream.range(0, 20).mapToObj(i -> "k" + i + ": *u\n").collect(Collectors.joining());

        assertThat(load(text).diagnostics()).extracting(Diagnostic::code).containsExactly(Code.TOO_COMPLEX);
    }

    @Test
    void manyEntriesTakeTheirShareOfWorkOnly() {
        grows("unknown keys", n -> SITE + lines(n, i -> "unknown-" + i + ": x\n"));
        grows("equal entries", n -> SITE + "network: {dns: [" + "10.1.2.3, ".repeat(n) + "10.1.2.3]}\n");
        grows(
                "users",
                n -> SITE + "users:\n"
                        + lines(n, i -> "  u" + i + ": {uid: " + (2000 + i) + ", groups: [g" + i + "]}\n"));
        grows(
                "members of a cluster",
                n -> SITE + lines(n, i -> "  m" + i + ": {image: debian/12}\n")
                        + "clusters: {c: {kind: slurm, controller: node, compute: [" + lines(n, i -> "m" + i + ", ")
                        + "node]}}\n");
        grows(
                "partitions",
                n -> SITE + "clusters: {c: {kind: slurm, controller: node, compute: [node], partitions: {"
                        + lines(n, i -> "p" + i + ": {groups: [node]}, ") + "}}}\n");
        grows("one line", n -> "{" + lines(n, i -> "unknown-" + i + ": x, ") + "}");
        grows("lines of one value", n -> "site: \"" + "a\n ".repeat(n) + "\"");
    }

    @Test
    void aFaultOfTheWholeDocumentHasAPlace() {
        for (String text : new String[] {"# a list\n\n- a\n", "\n\nmachines: {}\n"}) {
            assertThat(load(text).diagnostics()).isNotEmpty().allSatisfy(each -> {
                assertThat(each.where()).isNotNull();
                assertThat(each.where().line()).isEqualTo(3);
                assertThat(each.where().column()).isPositive();
            });
        }
    }

    @Test
    void aDocumentWithATagIsRefusedAtItsBegin() {
        var result = load("!ruby/object\n" + SITE);

        assertThat(result.diagnostics()).extracting(Diagnostic::code).contains(Code.YAML_FEATURE);
    }

    @Test
    void aLongValueIsRefusedBeforeAPatternSeesIt() {
        var result = load(SITE.replace("debian/12", "\"" + ":".repeat(1_000_000) + "\""));

        assertThat(result.diagnostics()).extracting(Diagnostic::code).containsExactly(Code.NOT_ACCEPTED);
    }

    @Test
    void noPatternNeedsMuchOfAStackForTheLongestValue() throws InterruptedException {
        var patterns = new Catalogue(BuiltInKinds.ALL.model())
                .entries().stream()
                        .map(entry -> entry.field().pattern())
                        .distinct()
                        .toList();
        var fault = new AtomicReference<Throwable>();
        var thread = new Thread(
                null,
                () -> {
                    for (String piece : List.of("1:2,", "a", "a.", "/a", ":", "1.", "https://a/", "a-", "[]")) {
                        String value = piece.repeat(Binder.LONGEST_WITH_PATTERN / piece.length());
                        patterns.forEach(pattern -> value.matches(pattern));
                        patterns.forEach(pattern ->
                                value.substring(0, value.length() - 1).matches(pattern));
                    }
                },
                "small stack",
                1024 * 1024);
        thread.setUncaughtExceptionHandler((_, e) -> fault.set(e));
        thread.start();
        thread.join();

        assertThat(fault.get()).isNull();
    }

    @Test
    void parametersAreAKeyOfSitesAlone() {
        assertThatThrownBy(() ->
                        WorkLoader.load("work.yaml", "name: demo\nparameters: {}\n", WorkLoader.Framework.CHRONOS))
                .isInstanceOf(Failure.class);
    }

    private static LoadResult load(String text) {
        return TestSites.load("site.yaml", text, Map.of());
    }

    private static String lines(int n, IntFunction<String> line) {
        return IntStream.range(0, n).mapToObj(line).collect(Collectors.joining());
    }

    /**
     * Eight times as much input takes about eight times the work, and not 64 times. The processor time of this thread
     * alone is compared with itself, so a busy machine changes nothing; other attempts are for the compiler's warming up.
     */
    private static void grows(String what, IntFunction<String> text) {
        var thread = ManagementFactory.getThreadMXBean();
        String few = text.apply(2_000);
        String many = text.apply(16_000);
        double least = Double.MAX_VALUE;
        for (int attempt = 0; attempt < 6 && least > 20; attempt++) {
            long start = thread.getCurrentThreadCpuTime();
            load(few);
            long middle = thread.getCurrentThreadCpuTime();
            load(many);
            long end = thread.getCurrentThreadCpuTime();
            least = Math.min(least, (double) (end - middle) / Math.max(1, middle - start));
        }
        assertThat(least).as(what).isLessThan(20);
    }
}
