package io.deepsite.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.deepsite.cluster.ClusterKind;
import io.deepsite.provider.ProviderFactory;
import io.deepsite.site.Name;
import io.deepsite.site.ProviderSettings;
import io.deepsite.site.load.Explain;
import io.deepsite.site.load.JsonSchema;
import io.deepsite.site.load.SiteTemplate;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The list of kinds and providers takes the place of switches that a compiler checks: it is walked here. */
class BuiltInsTest {
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(location -> !location.contains("/test-classes/") && !location.contains("-tests.jar"))
            .importPackages("io.deepsite");

    static List<ProviderFactory<?>> providers() {
        return BuiltIns.ALL.providers().all();
    }

    static List<ClusterKind<?>> kinds() {
        return BuiltIns.ALL.all();
    }

    /** The packages of kinds and providers: each knows the engine, and none of the others. */
    static List<String> rooms() {
        return Stream.concat(kinds().stream(), providers().stream())
                .map(one -> one.getClass().getPackageName())
                .distinct()
                .toList();
    }

    @ParameterizedTest
    @MethodSource("providers")
    void aProviderIsReadFromItsTemplateAndRecorded(ProviderFactory<?> provider) {
        var settings = template(Optional.empty(), provider);

        assertThat(provider.settings()).isEqualTo(settings.getClass());
        assertThat(settings.provider()).isEqualTo(provider.name());
        var recorded = BuiltIns.ALL.providers().recorded(settings);
        assertThat(recorded).isNotNull().doesNotContainKey("key").doesNotContainValue("");
        assertThat(Stream.concat(recorded.keySet().stream(), provider.options().stream()))
                .allSatisfy(key -> Explain.of(BuiltIns.ALL.model(), "provider." + provider.name() + "." + key));
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void aKindIsReadFromItsTemplateOnHostsThatExist(ClusterKind<?> kind) {
        var hosts = providers().stream()
                .filter(provider -> template(Optional.empty(), provider).machinesExist())
                .findFirst()
                .orElseThrow();

        assertThat(template(Optional.of(kind.name()), hosts).machinesExist()).isTrue();
        assertThat(Explain.of(BuiltIns.ALL.model(), "clusters." + kind.name()).children())
                .hasSizeGreaterThan(1);
    }

    /** Tests of the whole language are in the module clusters, whose list is its own. */
    @Test
    void theSchemaOfTheRepositoryIsThatOfThisList() throws Exception {
        assertThat(JsonSchema.text(BuiltIns.ALL.model()))
                .isEqualTo(Files.readString(Path.of("../schema/site.schema.json")));
    }

    @ParameterizedTest
    @MethodSource("rooms")
    void aRoomKnowsNoOther(String room) {
        noClasses()
                .that()
                .resideInAPackage(room + "..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(Stream.concat(rooms().stream(), Stream.of("io.deepsite.cli"))
                        .filter(other -> !other.equals(room))
                        .map(other -> other + "..")
                        .toArray(String[]::new))
                .check(CLASSES);
    }

    @Test
    void theEngineKnowsNone() {
        var outside = Stream.concat(rooms().stream(), Stream.of("io.deepsite.cli"))
                .map(room -> room + "..")
                .toArray(String[]::new);
        noClasses()
                .that()
                .resideOutsideOfPackages(outside)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(outside)
                .check(CLASSES);
    }

    @Test
    void noClassOfTheEngineIsNamedAfterOne() {
        var names = Stream.concat(
                        kinds().stream().map(ClusterKind::name),
                        providers().stream().map(ProviderFactory::name))
                .toList();
        var rooms = rooms();

        assertThat(CLASSES.stream()
                        .filter(type -> !type.getPackageName().startsWith("io.deepsite.cli"))
                        .filter(type -> rooms.stream().noneMatch(type.getPackageName()::startsWith))
                        .map(type -> type.getSimpleName().toLowerCase(Locale.ROOT)))
                .isNotEmpty()
                .noneMatch(type -> names.stream().anyMatch(type::contains));
    }

    private static ProviderSettings template(Optional<String> kind, ProviderFactory<?> provider) {
        var text = SiteTemplate.text(BuiltIns.ALL.model(), kind, provider.name(), new Name("lab"), "site.yaml");
        return BuiltIns.ALL.loader().load("site.yaml", text, Map.of()).orFail().provider();
    }
}
