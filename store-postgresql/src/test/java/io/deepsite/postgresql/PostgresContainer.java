package io.deepsite.postgresql;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.utility.DockerImageName;

/** PostgreSQL with an empty database, in a container of the image that {@code testbed/containers/up} made. */
final class PostgresContainer extends GenericContainer<PostgresContainer> {
    private static final int PORT = 5432;
    private static final String BEGIN = """
            printf %s "$PASSWORD" >/tmp/password
            /pg/initdb -D /tmp/data -U deepsite --pwfile=/tmp/password -A scram-sha-256 -E UTF8 --locale=C.UTF-8
            echo host all all all scram-sha-256 >>/tmp/data/pg_hba.conf
            echo CREATE DATABASE deepsite | /pg/postgres --single -D /tmp/data postgres
            exec /pg/postgres -D /tmp/data -k /tmp -c listen_addresses=*
            """;

    private final String password;

    /** For all tests of this process, which ends it. */
    private static final class Shared {
        static final PostgresContainer ONE = new PostgresContainer();

        static {
            ONE.start();
        }
    }

    private PostgresContainer() {
        super(DockerImageName.parse("deepsite-postgresql:testbed"));
        var random = new byte[16];
        new SecureRandom().nextBytes(random);
        password = HexFormat.of().formatHex(random);
        withImagePullPolicy(_ -> false);
        withExposedPorts(PORT);
        withEnv("PASSWORD", password);
        withCreateContainerCmdModifier(command -> command.withUser("postgres"));
        withCommand("sh", "-ec", BEGIN);
        waitingFor(Wait.forLogMessage(".*database system is ready to accept connections.*", 1));
    }

    static PostgresContainer started() {
        return Objects.requireNonNull(Shared.ONE);
    }

    String url() {
        return "postgresql://deepsite@" + getHost() + ":" + getMappedPort(PORT) + "/deepsite";
    }

    Map<String, String> environment() {
        return Map.of("PGPASSWORD", password);
    }
}
