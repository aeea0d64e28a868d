package io.deepsite.statics;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deepsite.Fuzz;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Fuzzes the output of ansible-inventory. */
class InventoryFuzzTest {
    /** Found by a long run of the other test. */
    @ParameterizedTest
    @ValueSource(strings = {"{\"hosts\":[\"n1\",{}]}", "{\"hosts\":[],\"children\":[[\"more\"]]}"})
    void membersOfAGroupAreNames(String group) {
        assertThatThrownBy(() -> Inventory.parse("{\"_meta\":{\"hostvars\":{}},\"nodes\":" + group + "}", "2.14"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("of the group nodes are not all names");
    }

    @Test
    void anInventoryIsReadOrRefused() {
        Fuzz.run(
                "inventory",
                List.of("""
                {"_meta":{"hostvars":{"n1":{"ansible_host":"10.0.0.1","ansible_port":22},"n2":{}}},\
                "all":{"children":["ungrouped","nodes"]},"nodes":{"hosts":["n1","n2"],"children":["more"]},"more":{"hosts":["n2"]}}"""),
                text -> {
                    var inventory = Inventory.parse(text, "2.14");
                    inventory.size();
                    inventory.shared(List.copyOf(inventory.groups()));
                    inventory.variable("n1", "ansible_port");
                    inventory.given("n1", List.of("ansible_host"));
                },
                IllegalArgumentException.class);
    }
}
