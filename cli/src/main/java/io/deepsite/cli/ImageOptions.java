package io.deepsite.cli;

import picocli.CommandLine.Option;

/** Which images a plan is made with. */
final class ImageOptions {
    @Option(
            names = "--refresh-images",
            order = 15,
            description = "Replace machines whose image's name means another image by now (takes --allow replace).")
    private boolean refresh;

    boolean refresh() {
        return refresh;
    }
}
