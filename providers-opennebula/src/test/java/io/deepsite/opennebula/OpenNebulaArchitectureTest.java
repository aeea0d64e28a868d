package io.deepsite.opennebula;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import org.junit.jupiter.api.Test;

/** Allowed dependencies in this module. */
final class OpenNebulaArchitectureTest {
    private static final String OCA = "io.deepsite.opennebula.oca";
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(location -> !location.contains("/test-classes/"))
            .importPackages("io.deepsite.opennebula");

    @Test
    void theClientKnowsNeitherResourcesNorSitesNorDiagnostics() {
        noClasses()
                .that()
                .resideInAPackage(OCA)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.deepsite.opennebula", "io.deepsite.site..", "io.deepsite.diag..", "tools.jackson..")
                .check(CLASSES);
    }

    /** Only the client and its reading of replies may use Apache's types. */
    @Test
    void onlyTheClientTouchesTheTransport() {
        classes()
                .that()
                .haveFullyQualifiedName(OCA + ".Client")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.apache.xmlrpc..")
                .check(CLASSES);
        noClasses()
                .that()
                .doNotHaveFullyQualifiedName(OCA + ".Client")
                .and()
                .doNotHaveFullyQualifiedName(OCA + ".ReplyTypes")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.apache..")
                .check(CLASSES);
    }

    @Test
    void nothingIsPrinted() {
        NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS.check(CLASSES);
    }
}
