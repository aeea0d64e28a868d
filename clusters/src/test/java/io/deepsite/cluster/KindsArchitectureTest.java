package io.deepsite.cluster;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_USE_JAVA_UTIL_LOGGING;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.deepsite.TestSites;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each kind of cluster has a package, which knows only itself and the engine. */
class KindsArchitectureTest {

    /** What a kind may use besides the JDK and the command line's library. */
    private static final Map<String, List<String>> LIBRARIES =
            Map.of("mesos", List.of("tools.jackson.."), "kubernetes", List.of("org.yaml.snakeyaml.."));

    private static final JavaClasses KINDS = new ClassFileImporter()
            .withImportOption(location -> location.contains("/clusters/"))
            .withImportOption(location -> !location.contains("/test-classes/"))
            .importPackages("io.deepsite.cluster");

    static Stream<String> packages() {
        return KINDS.stream().map(type -> type.getPackageName()).distinct();
    }

    @Test
    void eachKindHasAPackageAndEachPackageAKind() {
        assertThat(TestSites.ALL.all())
                .extracting(kind -> kind.getClass().getPackageName())
                .containsOnlyOnceElementsOf(
                        packages().filter(name -> !name.endsWith(".openstack")).toList())
                .contains("io.deepsite.cluster.openstack")
                .allMatch(packages().toList()::contains);
    }

    @Test
    void aKindKnowsNoOther() {
        slices().matching("io.deepsite.cluster.(*)..")
                .should()
                .notDependOnEachOther()
                .check(KINDS);
    }

    /** Jackson reads what a service answers, SnakeYAML edits kubectl's file, picocli has the commands of a kind: ADR 20. */
    @ParameterizedTest
    @MethodSource("packages")
    void aKindUsesOnlyItsOwnLibraries(String name) {
        var allowed = new ArrayList<>(List.of("java..", "javax..", "org.jspecify..", "io.deepsite..", "picocli"));
        allowed.addAll(LIBRARIES.getOrDefault(name.substring(name.lastIndexOf('.') + 1), List.of()));

        noClasses()
                .that()
                .resideInAPackage(name)
                .should()
                .dependOnClassesThat()
                .resideOutsideOfPackages(allowed.toArray(String[]::new))
                .check(KINDS);
    }

    @ParameterizedTest
    @MethodSource("packages")
    void aKindNeitherPlansNorApplies(String name) {
        noClasses()
                .that()
                .resideInAPackage(name)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.deepsite.plan", "io.deepsite.ansible", "io.deepsite.apply", "io.deepsite.lease")
                .check(KINDS);
    }

    @Test
    void onlyTheCommandLineTalksToPeople() {
        NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS.check(KINDS);
        NO_CLASSES_SHOULD_USE_JAVA_UTIL_LOGGING.check(KINDS);
    }
}
