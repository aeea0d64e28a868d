package io.deepsite.plan;

import io.deepsite.Fuzz;
import io.deepsite.diag.Failure;
import io.deepsite.state.FileVault;
import io.deepsite.state.SecretStore;
import io.deepsite.state.StateFolder;
import io.deepsite.state.VaultKeyFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Saved plans, which people copy around. */
class PlanFuzzTest {
    @TempDir
    private Path folder;

    @Test
    void aPlanIsReadOrRefused() throws IOException {
        var file = folder.resolve("plan.json");
        var plan = new SamplePlan().plan();
        var secrets = new SecretStore(
                new FileVault(new StateFolder(folder.resolve("lab"))), VaultKeyFile.locate(Map.of(), folder), _ -> {});
        Fuzz.run(
                "plan",
                List.of(PlanJsonTest.sealed(plan, secrets)),
                text -> {
                    // A file cannot contain a lone surrogate.
                    Files.writeString(file, text.replace('\uD83D', '?'));
                    PlanJson.read(file, plan.tool(), secrets);
                },
                Failure.class);
    }
}
