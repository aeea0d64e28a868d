package io.deepsite.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Fills the AOT cache: runs real commands, then loads the classes that commands load only with a live back-end. Only
 * {@code dist/assemble} calls it.
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
