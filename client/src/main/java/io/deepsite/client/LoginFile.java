package io.deepsite.client;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.diag.FileFault;
import io.deepsite.state.AtomicFile;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Logins at services, in a file that only its owner can read. Processes change it one after the other: a provider that gives
 * each refresh token once takes a second use for a theft.
 */
public final class LoginFile {
    private static final Set<PosixFilePermission> OTHERS = PosixFilePermissions.fromString("---rwxrwx");
    private static final JsonMapper JSON = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .changeDefaultPropertyInclusion(old -> old.withValueInclusion(JsonInclude.Include.NON_ABSENT))
            .build();

    private final Path file;

    /** @param home the user's home directory */
    public LoginFile(Path home) {
        this.file = home.resolve(".config/deepsite/logins.json");
    }

    /** @param latest service of the last login */
    private record Kept(Optional<String> latest, SortedMap<String, Login> services) {
        Kept {
            services = services == null ? new TreeMap<>() : new TreeMap<>(services);
        }
    }

    public Path path() {
        return file;
    }

    /** @throws Failure LOGINS_UNUSABLE */
    public Optional<Login> find(ServiceAddress service) {
        return Optional.ofNullable(read().services().get(service.toString()));
    }

    /** Where somebody logged in last, and did not log out. */
    public Optional<ServiceAddress> latest() {
        return read().latest().map(ServiceAddress::parse);
    }

    public void keep(ServiceAddress service, Login login) {
        locked(() -> {
            var all = new TreeMap<>(read().services());
            all.put(service.toString(), login);
            write(new Kept(Optional.of(service.toString()), all));
            return login;
        });
    }

    /** @return what was kept */
    public Optional<Login> forget(ServiceAddress service) {
        return locked(() -> {
            var before = read();
            var all = new TreeMap<>(before.services());
            var gone = Optional.ofNullable(all.remove(service.toString()));
            write(new Kept(
                    before.latest()
                            .filter(all::containsKey)
                            .or(() -> all.keySet().stream().findFirst()),
                    all));
            return gone;
        });
    }

    /** Gives the login that is kept now to {@code change}, and keeps what that returns; other processes wait. */
    Login changed(ServiceAddress service, Login known, UnaryOperator<Login> change) {
        return locked(() -> {
            var kept = read();
            var next = change.apply(kept.services().getOrDefault(service.toString(), known));
            var all = new TreeMap<>(kept.services());
            all.put(service.toString(), next);
            write(new Kept(kept.latest(), all));
            return next;
        });
    }

    private interface Work<T> {
        T run() throws IOException;
    }

    private <T> T locked(Work<T> work) {
        try {
            Files.createDirectories(
                    file.toAbsolutePath().getParent(),
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            try (var channel = FileChannel.open(
                            file.resolveSibling("logins.lock"),
                            Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
                            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
                    var _ = channel.lock()) {
                return work.run();
            }
        } catch (IOException e) {
            throw unusable("Writing it failed: " + FileFault.words(e) + ".", "Fix the permissions of its folder.", e);
        }
    }

    private Kept read() {
        try {
            if (Files.exists(file)
                    && Files.getPosixFilePermissions(file).stream().anyMatch(OTHERS::contains)) {
                throw unusable(
                        "Others than you can read it, and with it log in as you.",
                        "Log out of the services in it, then remove the permissions of others: chmod 600 " + file,
                        null);
            }
            var kept = JSON.readValue(Files.readString(file), Kept.class);
            return kept == null ? new Kept(Optional.empty(), new TreeMap<>(Map.of())) : kept;
        } catch (NoSuchFileException _) {
            return new Kept(Optional.empty(), new TreeMap<>());
        } catch (IOException e) {
            throw unusable("Reading it failed: " + FileFault.words(e) + ".", "Fix its permissions.", e);
        } catch (JacksonException e) {
            // The library's message may quote a token.
            throw unusable("It is damaged.", "Remove it, and log in again.", null);
        }
    }

    private void write(Kept kept) throws IOException {
        AtomicFile.swap(file, JSON.writeValueAsBytes(kept));
    }

    private Failure unusable(String why, String fix, @Nullable Exception cause) {
        return new Failure(Diagnostic.error(Code.LOGINS_UNUSABLE, file + ": " + why, fix), cause);
    }
}
