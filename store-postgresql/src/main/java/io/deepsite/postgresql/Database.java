package io.deepsite.postgresql;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.pool.HikariPool;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.HandleCallback;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.JdbiException;

/** Connections to one database, whose tables are made on first need. Any thread may call. */
public final class Database implements AutoCloseable {
    static final String SCHEMA = "deepsite";

    /** Of the tables that this version uses: the number of the last file in db/deepsite. */
    private static final int VERSION = 2;

    /** They tell of each start, end and broken connection. Held here: a logger that nobody holds loses its level. */
    @SuppressWarnings("unused")
    private static final List<Logger> QUIET = List.of(quiet("com.zaxxer.hikari"), quiet("org.flywaydb"));

    private static final int CONNECTIONS = 8;
    /** For a service, which works on many sites at once. */
    private static final int CONNECTIONS_OF_SERVICE = 24;

    private static final long CONNECT_MILLISECONDS = 10_000;
    private static final int IDLE_MILLISECONDS = 15_000;

    private final DatabaseUrl url;
    private final Map<String, String> environment;
    private final int connections;
    private volatile boolean isReady;

    @SuppressWarnings("NullAway.Init") // made by the first call
    private HikariDataSource pool;

    @SuppressWarnings("NullAway.Init") // made by the first call
    private Jdbi jdbi;

    /** Connects with the first call. */
    Database(DatabaseUrl url, Map<String, String> environment) {
        this(url, environment, CONNECTIONS);
    }

    private Database(DatabaseUrl url, Map<String, String> environment, int connections) {
        this.url = url;
        this.environment = environment;
        this.connections = connections;
    }

    /**
     * For a process that works on many sites; see {@link PostgresStores#in}.
     *
     * @param url {@code postgresql://user@host/database}
     * @throws Failure STORE_UNKNOWN
     */
    public static Database ofService(String url, Map<String, String> environment) {
        return new Database(DatabaseUrl.parse(url, environment), environment, CONNECTIONS_OF_SERVICE);
    }

    /**
     * Of the same connections.
     *
     * @throws Failure STORE_FAILED, STORE_TOO_NEW
     */
    public DataSource source() {
        try {
            makeReady();
            return pool;
        } catch (JdbiException | HikariPool.PoolInitializationException e) {
            throw failed(e);
        }
    }

    DatabaseUrl url() {
        return url;
    }

    private static Logger quiet(String name) {
        var logger = Logger.getLogger(name);
        logger.setLevel(Level.SEVERE);
        return logger;
    }

    /**
     * One transaction.
     *
     * @throws Failure STORE_FAILED, STORE_TOO_NEW, or what the work throws
     */
    <T> T in(HandleCallback<T, RuntimeException> work) {
        try {
            makeReady();
            return jdbi.inTransaction(work);
        } catch (JdbiException | HikariPool.PoolInitializationException e) {
            throw failed(e);
        }
    }

    /** Whether the connection broke, or the server is starting or stopping: the same call may work in a moment. */
    public static boolean isAway(Throwable fault) {
        return causes(fault).anyMatch(cause -> cause instanceof SQLException of && isOfConnection(of));
    }

    private static boolean isOfConnection(SQLException fault) {
        var state = fault.getSQLState();
        // 08: connection; 25P03: it was idle in a transaction; 57P01 to 57P03: the server is shut down, or does not
        // accept
        // connections yet.
        return fault instanceof SQLTransientConnectionException
                || (state != null && (state.startsWith("08") || state.equals("25P03") || state.startsWith("57P0")));
    }

    /** From the outermost on. */
    private static Stream<Throwable> causes(Throwable of) {
        return Stream.iterate(of, Objects::nonNull, Throwable::getCause);
    }

    private void makeReady() {
        if (!isReady) {
            connect();
        }
    }

    private synchronized void connect() {
        if (isReady) {
            return;
        }
        if (pool == null) {
            var config = new HikariConfig();
            config.setJdbcUrl(url.jdbc());
            config.setDataSourceProperties(url.properties(environment));
            config.setMaximumPoolSize(connections);
            config.setMinimumIdle(0);
            config.setConnectionTimeout(CONNECT_MILLISECONDS);
            // The first one fails at once, and says why; later ones are tried again.
            config.setInitializationFailTimeout(1);
            config.setPoolName("deepsite");
            // A process that is stopped in the middle of a transaction must not keep its locks: shorter than the time
            // after
            // which others give up their statement (socketTimeout).
            config.setConnectionInitSql("SET idle_in_transaction_session_timeout = " + IDLE_MILLISECONDS);
            pool = new HikariDataSource(config);
            jdbi = Jdbi.create(pool);
        }
        int version = jdbi.withHandle(Database::version);
        if (version > VERSION) {
            throw tooNew(url, version);
        }
        if (version < VERSION) {
            migrate();
        }
        isReady = true;
    }

    private static int version(Handle handle) {
        var history = handle.createQuery("SELECT to_regclass('" + SCHEMA + ".flyway_schema_history')::text")
                .mapTo(String.class)
                .findOne();
        return history.isEmpty()
                ? 0
                : handle.createQuery(
                                "SELECT coalesce(max(version::int), 0) FROM flyway_schema_history WHERE success AND version IS NOT NULL")
                        .mapTo(Integer.class)
                        .one();
    }

    /** Under a lock of the database: several machines may come first. */
    private void migrate() {
        try {
            Flyway.configure()
                    .dataSource(pool)
                    .schemas(SCHEMA)
                    .defaultSchema(SCHEMA)
                    .locations("classpath:db/deepsite")
                    .load()
                    .migrate();
        } catch (FlywayException e) {
            throw failed(e);
        }
    }

    private Failure failed(Exception e) {
        var words = causes(e)
                .filter(SQLException.class::isInstance)
                .reduce((_, inner) -> inner)
                .map(Throwable::getMessage)
                .orElse(e.toString());
        return new Failure(
                Diagnostic.error(
                        Code.STORE_FAILED,
                        url + ", where the records of the site are kept: " + words.strip(),
                        "Check that the database runs, and that you may log in:",
                        "psql " + url),
                e);
    }

    static Failure tooNew(DatabaseUrl url, int version) {
        return new Failure(Diagnostic.error(
                Code.STORE_TOO_NEW,
                "The tables of " + url + " have version " + version + "; this deepsite knows version " + VERSION
                        + ". Nothing was changed.",
                "Use the version of deepsite that others use with this database, or a later one."));
    }

    @Override
    public synchronized void close() {
        if (pool != null) {
            pool.close();
        }
    }
}
