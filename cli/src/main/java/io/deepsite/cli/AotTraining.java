package io.deepsite.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What the build runs once to fill the AOT cache: real commands, then the classes that only a live back-end makes a command
 * load. Called by {@code dist/assemble} alone.
 */
final class AotTraining {

    private AotTraining() {}

    /** Arguments: the file of class names ({@code dist/aot-classes.txt}), then one command line per argument. */
    public static void main(String[] arguments) throws IOException {
        for (int i = 1; i < arguments.length; i++) {
            Main.run(arguments[i].split(" "));
        }
        int absent = 0;
        for (String name : Files.readAllLines(Path.of(arguments[0]))) {
            if (!isLoadable(name)) {
                absent++;
            }
        }
        System.err.println(
                "AOT training: " + (arguments.length - 1) + " commands, " + absent + " listed classes absent");
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
