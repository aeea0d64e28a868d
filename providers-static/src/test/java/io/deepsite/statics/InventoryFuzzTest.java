package io.deepsite.statics;

import io.deepsite.Fuzz;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What ansible-inventory prints, or what a program of its name does. */
class InventoryFuzzTest {
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
