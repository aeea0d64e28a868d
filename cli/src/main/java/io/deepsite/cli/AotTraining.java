package io.deepsite.cli;

import io.deepsite.state.FileStateStore;
import io.deepsite.state.SiteState;
import io.deepsite.state.StateFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Fills an AOT cache: runs real commands, then loads the classes that commands load only with a live back-end. Only
 * {@code dist/make-caches} calls it.
 */
final class AotTraining {
    /** In place of a command: the site gets a state, as after an apply. */
    private static final String STATE = "STATE";

    private AotTraining() {}

    /**
     * Arguments: a site.yaml of the site {@code quickstart}, a file of class names ({@code dist/aot-classes.txt}, or an
     * empty one), then one command line per argument, with {@code SITE} for the site.yaml.
     */
    public static void main(String[] arguments) throws IOException {
        var site = arguments[0];
        for (int i = 2; i < arguments.length; i++) {
            if (arguments[i].equals(STATE)) {
                new FileStateStore(StateFolder.of(Path.of(site), "quickstart"))
                        .write(SiteState.fresh("quickstart", Version.CURRENT));
            } else {
                Main.run(arguments[i].replace("SITE", site).split(" "));
            }
        }
        int absent = 0;
        for (String name : Files.readAllLines(Path.of(arguments[1]))) {
            if (!isLoadable(name)) {
                absent++;
            }
        }
        System.err.println(
                "AOT training: " + (arguments.length - 2) + " commands, " + absent + " listed classes absent");
    }

    private static boolean isLoadable(String name) {
        try {
            Class.forName(name, false, AotTraining.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException | LinkageError e) {
            return false;
        }
    }
}
