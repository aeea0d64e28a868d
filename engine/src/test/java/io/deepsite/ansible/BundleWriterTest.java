package io.deepsite.ansible;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.contract.Contract;
import io.deepsite.render.DeepsiteHome;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BundleWriterTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    Path folder;

    @Test
    void aRoleThatThisDeepsiteNoLongerHasIsLeftByTheTextThatIsTheSameInEach() {
        var home = DeepsiteHome.find();
        var contract = new Contract("gone", "head", List.of(), List.of());
        var bundle = new Bundle(
                "lab",
                List.of(),
                List.of(new Bundle.Play("leave.gone", "gone", List.of("head"), 0)),
                List.of(),
                List.of(new Bundle.Part(contract, "", List.of())),
                Optional.empty());

        new BundleWriter(home, Duration.ofMinutes(5), Optional.empty()).write(bundle, folder);

        assertThat(folder.resolve("ansible-roles/gone/tasks/leave.yml"))
                .hasSameTextualContentAs(home.plugins().resolve("tasks/leave.yml"));
        assertThat(folder.resolve("contracts/head/gone.json")).exists();
        // Any module's answer from a host may contain facts: ADR 19.
        assertThat(folder.resolve("ansible.cfg")).content().contains("\ninject_facts_as_vars = false\n");
    }
}
