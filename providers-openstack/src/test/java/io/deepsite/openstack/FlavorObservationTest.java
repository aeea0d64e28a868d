package io.deepsite.openstack;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.provider.ObservedResource.Condition;
import io.deepsite.provider.Tags;
import io.deepsite.site.Name;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FlavorObservationTest {
    private static final Tags TAGS =
            new Tags(new Name("flavors"), "11111111-2222-3333-4444-555555555555", Optional.empty());

    /** Extra specs take a second call: a run that was killed before it left an incomplete flavor. */
    @Test
    void aFlavorThatIsToHaveExtraSpecsAndHasNoneIsHalfMade() {
        assertThat(condition("ds-flavors-node-1c-512m-5g-12345678", Map.of())).isEqualTo(Condition.HALF_MADE);
        assertThat(condition("ds-flavors-node-1c-512m-5g-12345678", Map.of("lxd:gpus", "1")))
                .isEqualTo(Condition.READY);
        assertThat(condition("ds-flavors-node-1c-512m-5g", Map.of())).isEqualTo(Condition.READY);
        assertThat(condition("ds-flavors-a-5g-12345678-1c-512m-5g", Map.of())).isEqualTo(Condition.READY);
    }

    private static Condition condition(String name, Map<String, String> specs) {
        var snapshot = Recorded.project(tree -> {
            var flavor = tree.withArray("flavors")
                    .addObject()
                    .put("id", "f-9")
                    .put("name", name)
                    .put("description", new Ownership(Kinds.flavor(new Name("node")), TAGS).text());
            specs.forEach(flavor.withObject("extra_specs")::put);
        });
        return new Observation(snapshot, new Tags.Scope.OneSite(TAGS.site()))
                .owned()
                .getFirst()
                .condition();
    }
}
