package io.deepsite.cli;

import java.nio.file.Path;
import java.util.Map;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The site as the first argument. */
final class SiteFile {
    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "FILE",
            defaultValue = "site.yaml",
            description = "The site file (default: ${DEFAULT-VALUE}).")
    private Path file = Path.of("site.yaml");

    @Mixin
    private SetOptions set = new SetOptions();

    @Mixin
    private StoreOption store = new StoreOption();

    @Mixin
    @SuppressWarnings("unused") // picocli reads it
    private ServiceOption service = new ServiceOption();

    Path file() {
        return file;
    }

    Map<String, String> set() {
        return set.values();
    }

    /** Empty: the usual one. */
    String store() {
        return store.url();
    }
}
