package io.deepsite.cli;

import picocli.CommandLine.Option;

/** The option that decides which images a plan uses. */
final class ImageOptions {
    @Option(
            names = "--refresh-images",
            order = 15,
            description = "Replace machines whose image name now refers to a different image (needs --allow replace).")
    private boolean refresh;

    boolean refresh() {
        return refresh;
    }
}
