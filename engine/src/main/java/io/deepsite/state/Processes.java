package io.deepsite.state;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;

/** What a lock needs to know of this machine's processes. */
@FunctionalInterface
interface Processes {

    /**
     * When the process started, in a unit that all processes share; empty if there is none. Distinguishes a process
     * from a later one with the same id.
     */
    OptionalLong start(long pid);

    /** Reads /proc where it exists. The JDK's own start time moves when the clock is set; ticks since boot do not. */
    static Processes ofThisMachine() {
        return Files.isDirectory(Path.of("/proc/self")) ? Processes::fromProc : Processes::fromHandle;
    }

    private static OptionalLong fromProc(long pid) {
        try {
            var stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"), StandardCharsets.ISO_8859_1);
            // The second field, the name, is in parentheses and may itself contain blanks and parentheses.
            var fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
            var isDead = fields[0].equals("Z") || fields[0].equals("X");
            return isDead ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(fields[19]));
        } catch (IOException e) {
            return OptionalLong.empty();
        }
    }

    private static OptionalLong fromHandle(long pid) {
        return ProcessHandle.of(pid)
                .flatMap(process -> process.info().startInstant())
                .map(start -> OptionalLong.of(start.getEpochSecond()))
                .orElse(OptionalLong.empty());
    }
}
