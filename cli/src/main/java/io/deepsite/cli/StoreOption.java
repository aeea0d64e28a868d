package io.deepsite.cli;

import picocli.CommandLine.Option;

/** {@code --store URL}. */
final class StoreOption {
    static final String VARIABLE = "DEEPSITE_STORE";

    @Option(
            names = "--store",
            paramLabel = "URL",
            order = 81,
            description = "Where the records of the site are: postgresql://USER@HOST/DATABASE (default: $" + VARIABLE
                    + ", else files beside the site file).")
    private String url = "";

    String url() {
        return url;
    }
}
