package io.deepsite.cli.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.contract.Item;
import io.deepsite.plan.Plan;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DriftViewTest {
    @Test
    void hostsAndResourcesThatChangedAlikeAreListedTogether() {
        var drift = new ArrayList<Plan.Drift>();
        for (int number = 1; number <= 2000; number++) {
            var cpus = number == 7 ? "4" : "2";
            drift.add(new Plan.Drift(
                    "", "", "instance/node-" + number, List.of(new Item.Difference("limits.cpu", cpus, "1"))));
        }
        for (int number = 1; number <= 2000; number++) {
            if (number != 12) {
                drift.add(new Plan.Drift(
                        "node-" + number,
                        "motd",
                        "file:/etc/motd",
                        List.of(new Item.Difference("mode", "0666", "0644"))));
            }
        }
        drift.add(new Plan.Drift(
                "head", "motd", "file:/etc/motd", List.of(new Item.Difference("exists", "false", "true"))));

        assertThat(new DriftView(Style.PLAIN).text(drift)).isEqualTo("""
                  back-end
                    ! instance/node-[1-6], instance/node-[8-2000]: limits.cpu: 2, was applied as 1
                    ! instance/node-7: limits.cpu: 4, was applied as 1
                  node-[1-11], node-[13-2000]
                    ! file /etc/motd  role motd: mode: 0666, was applied as 0644
                  head
                    ! file /etc/motd  role motd: is gone
                """);
    }
}
