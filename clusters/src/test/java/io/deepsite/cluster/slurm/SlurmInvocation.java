package io.deepsite.cluster.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.cluster.InvocationContext;
import io.deepsite.cluster.SiteAccess;
import io.deepsite.provider.Machine;
import io.deepsite.remote.RemoteHost;
import io.deepsite.remote.SshTarget;
import io.deepsite.site.Cluster;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.ToIntFunction;
import org.assertj.core.api.InstanceOfAssertFactories;

/** The command line and a controller, for commands of the kind. */
final class SlurmInvocation implements InvocationContext {
    final StringBuilder printed = new StringBuilder();
    final Map<String, Object> object = new TreeMap<>();
    List<String> argv = List.of();
    final List<String> asked = new ArrayList<>();

    /** What the controller prints, one for each script that it runs. */
    List<String> answers = List.of();

    /** What it prints to standard error; then it fails. */
    String error = "";

    boolean json;
    Site site = SlurmSite.SITE;

    @Override
    public int withSite(ToIntFunction<SiteAccess> work) {
        return work.applyAsInt(new Opened());
    }

    @Override
    public Name name(String typed) {
        return new Name(typed);
    }

    @Override
    public boolean json() {
        return json;
    }

    @Override
    public void print(String text) {
        printed.append(text);
    }

    @Override
    public void printJson(Object value) {
        object.putAll(assertThat(value)
                .asInstanceOf(InstanceOfAssertFactories.map(String.class, Object.class))
                .actual());
    }

    @Override
    public void printError(String text) {
        throw new AssertionError(text);
    }

    @Override
    public void say(String text) {
        throw new AssertionError(text);
    }

    @Override
    public String bold(String text) {
        return text;
    }

    private final class Opened implements SiteAccess {
        @Override
        public Site site() {
            return site;
        }

        @Override
        public List<Machine> machines() {
            return SlurmSite.machines(2, true);
        }

        @Override
        public InstantSource clock() {
            return InstantSource.fixed(Instant.parse("2026-11-26T12:00:30Z"));
        }

        @Override
        public RemoteHost connect(String machine) {
            assertThat(machine).isEqualTo("head");
            return new Controller();
        }

        @Override
        public Cluster cluster(Name name) {
            return Objects.requireNonNull(site.clusters().get(name));
        }
    }

    private final class Controller implements RemoteHost {
        @Override
        public SshTarget target() {
            throw new AssertionError("the target is not asked for");
        }

        @Override
        public int exec(
                List<String> argv, InputStream stdin, OutputStream stdout, OutputStream stderr, Duration limit) {
            SlurmInvocation.this.argv = argv;
            try {
                asked.add(new String(stdin.readAllBytes(), StandardCharsets.UTF_8));
                stdout.write(answers.get(asked.size() - 1).getBytes(StandardCharsets.UTF_8));
                stderr.write(error.getBytes(StandardCharsets.UTF_8));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return error.isEmpty() ? 0 : 1;
        }

        @Override
        public void close() {}
    }
}
