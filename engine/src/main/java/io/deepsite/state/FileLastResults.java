package io.deepsite.state;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/** Each a file of its own beside the state. */
public final class FileLastResults implements LastResults {
    private final StateFolder folder;

    public FileLastResults(StateFolder folder) {
        this.folder = folder;
    }

    @Override
    public void keep(String name, String text) {
        if (!folder.exists()) {
            return;
        }
        try {
            AtomicFile.swap(file(name), text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw AtomicFile.notWritten(file(name), e);
        }
    }

    @Override
    public Optional<String> read(String name) {
        try {
            return Optional.of(Files.readString(file(name)));
        } catch (NoSuchFileException _) {
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Path file(String name) {
        return folder.path().resolve("last-" + name + ".json");
    }
}
