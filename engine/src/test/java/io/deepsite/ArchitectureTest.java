package io.deepsite;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_USE_JAVA_UTIL_LOGGING;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The packages of the engine: what may know what. The reasons are in each package's package-info. */
class ArchitectureTest {
    /** Lowest first; a package imports only those before it. No kind of cluster and no provider is among them. */
    private static final List<String> ORDER = List.of(
            "diag",
            "parallel",
            "text",
            "site",
            "site.load",
            "provider",
            "state",
            "contract",
            "render",
            "remote",
            "cluster",
            "topology",
            "plan",
            "ansible",
            "apply",
            "verify",
            "lease",
            "report",
            "users",
            "operations");

    private static final String ANNOTATIONS = "com.fasterxml.jackson.annotation";
    private static final String JACKSON = "tools.jackson";
    private static final String SNAKEYAML = "org.yaml.snakeyaml";

    /** What each package may use besides the JDK; one that is not named here uses nothing. */
    private static final Map<String, List<String>> LIBRARIES = Map.ofEntries(
            Map.entry("site.load", List.of(SNAKEYAML, ANNOTATIONS, JACKSON)),
            Map.entry("state", List.of(ANNOTATIONS, JACKSON, "org.bouncycastle.crypto", "org.pcollections")),
            Map.entry("contract", List.of(ANNOTATIONS)),
            Map.entry("render", List.of("com.hubspot.jinjava", "jinjava", SNAKEYAML, ANNOTATIONS, JACKSON)),
            Map.entry("remote", List.of("net.schmizz", "com.hierynomus", "org.slf4j", ANNOTATIONS, JACKSON)),
            Map.entry("plan", List.of("com.github.difflib", ANNOTATIONS, JACKSON)),
            Map.entry("ansible", List.of(SNAKEYAML, ANNOTATIONS, JACKSON)),
            Map.entry("apply", List.of(ANNOTATIONS, JACKSON)),
            Map.entry("verify", List.of(ANNOTATIONS, JACKSON)),
            Map.entry("lease", List.of(ANNOTATIONS, JACKSON)),
            Map.entry("report", List.of(ANNOTATIONS, JACKSON)),
            Map.entry("operations", List.of(ANNOTATIONS, JACKSON)));

    /** What the order alone would allow. */
    private static final Map<String, List<String>> FORBIDDEN = Map.of(
            "state", List.of("site", "site.load", "provider"),
            "ansible", List.of("plan"),
            "apply", List.of("site.load"));

    private static final JavaClasses ENGINE = new ClassFileImporter()
            .withImportOption(location -> !location.contains("/test-classes/"))
            .importPackages("io.deepsite");

    static Stream<String> packages() {
        return ORDER.stream();
    }

    @Test
    void everyPackageHasItsPlace() {
        var found = new TreeSet<String>();
        ENGINE.forEach(type -> found.add(nameOf(type)));

        assertThat(ORDER).containsAll(found);
    }

    @ParameterizedTest
    @MethodSource("packages")
    void aPackageImportsOnlyThoseBeforeIt(String name) {
        var above = ORDER.subList(ORDER.indexOf(name) + 1, ORDER.size());
        var others = new TreeSet<>(above);
        others.addAll(FORBIDDEN.getOrDefault(name, List.of()));

        noClasses()
                .that(are("of " + name, type -> nameOf(type).equals(name)))
                .should()
                .dependOnClassesThat(are(
                        "of " + others,
                        type -> type.getPackageName().startsWith("io.deepsite.") && others.contains(nameOf(type))))
                .allowEmptyShould(true)
                .check(ENGINE);
    }

    @ParameterizedTest
    @MethodSource("packages")
    void aPackageUsesOnlyItsOwnLibraries(String name) {
        var allowed = LIBRARIES.getOrDefault(name, List.of());

        noClasses()
                .that(are("of " + name, type -> nameOf(type).equals(name)))
                .should()
                .dependOnClassesThat(are(
                        "of a library other than " + allowed,
                        type -> isLibrary(type)
                                && allowed.stream()
                                        .noneMatch(prefix -> type.getPackageName()
                                                .concat(".")
                                                .startsWith(prefix + "."))))
                .allowEmptyShould(true)
                .check(ENGINE);
    }

    @Test
    void noPackagesFormACycle() {
        slices().matching("io.deepsite.(**)").should().beFreeOfCycles().check(ENGINE);
    }

    @Test
    void onlyTheCommandLineTalksToPeople() {
        NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS.check(ENGINE);
        NO_CLASSES_SHOULD_USE_JAVA_UTIL_LOGGING.check(ENGINE);
    }

    @Test
    void onlyTheCommandLineEndsTheProcess() {
        noClasses().should().callMethod(System.class, "exit", int.class).check(ENGINE);
    }

    /** A rule whose predicates match nothing is always kept. */
    @Test
    void theRulesSeeDependencies() {
        assertThat(dependencies("io.deepsite.remote.HostProbe"))
                .anyMatch(type -> nameOf(type).equals("contract"));
        assertThat(dependencies("io.deepsite.remote.SshRemote")).anyMatch(ArchitectureTest::isLibrary);
    }

    private static Stream<JavaClass> dependencies(String name) {
        return ENGINE.get(name).getDirectDependenciesFromSelf().stream().map(dependency -> dependency.getTargetClass());
    }

    private static String nameOf(JavaClass type) {
        return type.getPackageName().replaceFirst("^io\\.deepsite\\.", "");
    }

    private static boolean isLibrary(JavaClass type) {
        var name = type.getPackageName();
        return !type.isPrimitive()
                && !type.isArray()
                && Stream.of("java.", "javax.", "jdk.", "org.jspecify.", "io.deepsite.")
                        .noneMatch(name.concat(".")::startsWith);
    }

    private static DescribedPredicate<JavaClass> are(
            String what, java.util.function.Predicate<? super JavaClass> predicate) {
        return describe(what, predicate);
    }
}
