package io.deepsite.service.records;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.pool.HikariPool;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.postgresql.Database;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.jdbi.v3.core.HandleCallback;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.JdbiException;
import org.jdbi.v3.core.statement.StatementExceptions;

/** The tables of the service: in a file of one process, or in PostgreSQL, where replicas share them. Any thread may call. */
public final class Tables implements AutoCloseable {
    /** Of all its tables: SQL names it, since the records of sites are in the same database. */
    public static final String SCHEMA = "service";

    private static final int CONNECTIONS = 24;
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final Duration PAUSE = Duration.ofMillis(200);

    private final DataSource source;
    private final Jdbi jdbi;
    private final Runnable close;

    private Tables(DataSource source, Runnable close) {
        this.source = source;
        this.close = close;
        this.jdbi = Jdbi.create(source);
        // Its messages come into logs, and would quote what a statement was given.
        jdbi.getConfig(StatementExceptions.class).setMessageRendering(StatementExceptions.MessageRendering.NONE);
    }

    /**
     * @param folder of the process, which nobody else reads
     * @throws Failure NOT_SERVED, if another process uses it
     */
    public static Tables inFolder(Path folder) {
        try {
            Files.createDirectories(
                    folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        } catch (IOException e) {
            throw new Failure(
                    Diagnostic.error(
                            Code.NOT_SERVED,
                            "The folder " + folder + " cannot be made: " + e.getMessage() + ".",
                            "Name another one in service.yaml: folder: PATH"),
                    e);
        }
        // What H2 adds to SQL is not used: the same statements run in PostgreSQL.
        return embedded("file:" + folder.toAbsolutePath().resolve("service") + ";DB_CLOSE_ON_EXIT=FALSE");
    }

    /** For tests: gone when it is closed. */
    static Tables inMemory(String name) {
        return embedded("mem:" + name);
    }

    private static Tables embedded(String place) {
        var config = new HikariConfig();
        config.setJdbcUrl("jdbc:h2:" + place + ";MODE=PostgreSQL;DATABASE_TO_LOWER=TRUE;DEFAULT_NULL_ORDERING=HIGH");
        config.setMaximumPoolSize(CONNECTIONS);
        config.setPoolName("service");
        config.setInitializationFailTimeout(1);
        return opened(() -> {
            var pool = new HikariDataSource(config);
            return new Tables(pool, pool::close);
        });
    }

    /** @param database closed by its owner */
    public static Tables in(Database database) {
        return opened(() -> new Tables(database.source(), () -> {}));
    }

    private static Tables opened(Supplier<Tables> opening) {
        try {
            var tables = opening.get();
            Flyway.configure()
                    .dataSource(tables.source)
                    .schemas(SCHEMA)
                    .defaultSchema(SCHEMA)
                    .locations("classpath:db/service")
                    .load()
                    .migrate();
            return tables;
        } catch (FlywayException | HikariPool.PoolInitializationException e) {
            throw new Failure(
                    Diagnostic.error(
                            Code.NOT_SERVED,
                            "Its tables cannot be opened: " + (e.getCause() == null ? e : e.getCause()).getMessage(),
                            "Another process may use them, or a later version of deepsite made them."),
                    e);
        }
    }

    /**
     * One transaction.
     *
     * @throws JdbiException the database does not answer, or refuses the statement
     */
    public <T> T in(HandleCallback<T, RuntimeException> work) {
        return jdbi.inTransaction(work);
    }

    /** The same, tried again for as long as a lock of a site lasts while the database is away: it may be starting anew. */
    public <T> T whenBack(HandleCallback<T, RuntimeException> work) {
        for (long end = System.nanoTime() + PATIENCE.toNanos(); ; ) {
            try {
                return in(work);
            } catch (JdbiException e) {
                if (!Database.isAway(e) || System.nanoTime() - end > 0 || !pause()) {
                    throw e;
                }
            }
        }
    }

    private static boolean pause() {
        try {
            Thread.sleep(PAUSE);
            return true;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    public DataSource source() {
        return source;
    }

    @Override
    public void close() {
        close.run();
    }
}
