package org.apache.mesos.chronos.scheduler;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The class of `java -cp chronos.jar …Main` in the stand-in's jar: it starts chronos.py beside it. */
public final class Main {
    private Main() {}

    public static void main(String[] arguments) throws Exception {
        Path folder = Files.createTempDirectory("chronos");
        for (String name : List.of("standin.py", "chronos.py")) {
            try (var in = Main.class.getResourceAsStream("/" + name)) {
                Files.copy(in, folder.resolve(name));
            }
        }
        List<String> command = new ArrayList<>(List.of("/usr/bin/python3", folder.resolve("chronos.py").toString()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).inheritIO().start();
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroy));
        System.exit(process.waitFor());
    }
}
