package io.deepsite.site.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.deepsite.cluster.builtin.BuiltInKinds;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class SiteModelTest {

    @Test
    void everyKeyIsDescribedInSentences() {
        assertThat(new Catalogue(BuiltInKinds.ALL.model()).entries())
                .allSatisfy(entry ->
                        assertThat(entry.field().about()).as(entry.text()).matches("(?s)[A-Z0-9/].*[.…]"));
    }

    @Test
    void everyDefaultAndExampleOfAOneTextKeyIsAccepted() {
        assertThat(new Catalogue(BuiltInKinds.ALL.model()).entries()).allSatisfy(entry -> {
            if (entry.shape() instanceof Shape.Scalar scalar) {
                for (String text : new String[] {
                    entry.field().defaultValue(), entry.field().example()
                }) {
                    assertThatCode(() -> {
                                if (!text.isEmpty()) {
                                    Values.parse(scalar.type(), entry.field(), text, true);
                                }
                            })
                            .as(entry.text())
                            .doesNotThrowAnyException();
                }
            }
        });
    }

    @Test
    void everyRequiredKeyHasAnExample() {
        assertThat(new Catalogue(BuiltInKinds.ALL.model()).entries())
                .filteredOn(entry ->
                        entry.shape() instanceof Shape.Scalar && entry.field().needed())
                .allSatisfy(entry ->
                        assertThat(entry.field().example()).as(entry.text()).isNotEmpty());
    }

    @Test
    void schemaOfTheRepositoryIsThatOfTheModel() {
        Golden.assertSame(Path.of("../schema/site.schema.json"), JsonSchema.text(BuiltInKinds.ALL.model()));
    }

    @Test
    void referencePageOfTheRepositoryIsThatOfTheModel() {
        Golden.assertSame(Path.of("../docs/reference/site-yaml.md"), ReferencePage.text());
    }
}
