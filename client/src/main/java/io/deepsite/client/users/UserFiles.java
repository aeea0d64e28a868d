package io.deepsite.client.users;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.site.User;
import io.deepsite.users.SourceUser;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.dataformat.csv.CsvMapper;
import tools.jackson.dataformat.csv.CsvReadFeature;
import tools.jackson.dataformat.csv.CsvSchema;

/** Users of a file: JSON, CSV with a line of column names, or lines as in passwd. */
public final class UserFiles {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final String MANY = "\\s*;\\s*";
    private static final Set<String> COLUMNS = Set.of("login", "id", "name", "groups", "keys", "uid", "active");
    private static final int PASSWD_FIELDS = 7;

    private UserFiles() {}

    /** How a file writes users. */
    public enum Format {
        JSON,
        CSV,
        PASSWD;

        /** By the ending of its name. */
        public static Format of(String file) {
            var name = file.toLowerCase(Locale.ROOT);
            return name.endsWith(".json") ? JSON : name.endsWith(".csv") ? CSV : PASSWD;
        }
    }

    /**
     * @param name of the file, for messages
     * @throws Failure USER_SOURCE
     */
    public static List<SourceUser> read(Format format, String name, String text) {
        try {
            return switch (format) {
                case JSON -> json(text);
                case CSV -> csv(text);
                case PASSWD -> passwd(text);
            };
        } catch (JacksonException e) {
            throw unusable(name, "it is no " + format + ": " + e.getOriginalMessage() + ".", e);
        } catch (IllegalArgumentException e) {
            throw unusable(name, String.valueOf(e.getMessage()), e);
        }
    }

    /** A list of people, one of them, or the answer of SCIM with all of them. */
    private static List<SourceUser> json(String text) {
        var root = JSON.readTree(text);
        var answer = root.path("Resources");
        if (answer.isArray() && root.path("totalResults").asInt(answer.size()) != answer.size()) {
            throw new IllegalArgumentException("It holds " + answer.size() + " of "
                    + root.path("totalResults").asInt(0) + " users: it is one page of SCIM, not all of them.");
        }
        Stream<JsonNode> people =
                answer.isArray() ? answer.valueStream() : root.isArray() ? root.valueStream() : Stream.of(root);
        return people.map(PeopleJson::of).toList();
    }

    private static List<SourceUser> csv(String text) {
        var schema = CsvSchema.emptySchema().withHeader().withStrictHeaders(false);
        var users = new ArrayList<SourceUser>();
        try (var rows = CsvMapper.builder()
                .enable(CsvReadFeature.TRIM_SPACES, CsvReadFeature.SKIP_EMPTY_LINES)
                .build()
                .readerForMapOf(String.class)
                .with(schema)
                .<Map<String, String>>readValues(text)) {
            while (rows.hasNextValue()) {
                users.add(row(rows.nextValue()));
            }
        }
        return users;
    }

    private static SourceUser row(Map<String, String> row) {
        for (var column : row.keySet()) {
            if (!COLUMNS.contains(column)) {
                throw new IllegalArgumentException("\"" + column
                        + "\" is no column of users; they are login, id, name, groups, keys, uid and active, and groups and"
                        + " keys of one user stand with a ; between them.");
            }
        }
        var login = cell(row, "login").orElseThrow(() -> new IllegalArgumentException("A line has no login."));
        return new SourceUser(
                login,
                cell(row, "id"),
                cell(row, "name"),
                many(row, "groups"),
                many(row, "keys"),
                cell(row, "uid").map(uid -> number(uid, login)),
                cell(row, "active").map(word -> flag(word, login)).orElse(true));
    }

    private static Optional<String> cell(Map<String, String> row, String column) {
        @Nullable String text = row.get(column);
        return Optional.ofNullable(text).map(String::strip).filter(word -> !word.isEmpty());
    }

    private static List<String> many(Map<String, String> row, String column) {
        return cell(row, column).map(text -> List.of(text.split(MANY))).orElse(List.of());
    }

    /** Accounts of people only, as {@code getent passwd} prints them; the system's and programs' are left out. */
    private static List<SourceUser> passwd(String text) {
        return text.lines()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .map(line -> line.split(":", -1))
                .flatMap(UserFiles::account)
                .toList();
    }

    private static Stream<SourceUser> account(String[] fields) {
        if (fields.length != PASSWD_FIELDS) {
            throw new IllegalArgumentException("A line of passwd has " + PASSWD_FIELDS
                    + " fields with a colon between them; a file of CSV is called .csv, one of JSON .json.");
        }
        int uid = number(fields[2], fields[0]);
        if (uid < User.FIRST_UID || uid > User.LAST_UID) {
            return Stream.empty();
        }
        var name = fields[4].split(",", 2)[0];
        return Stream.of(new SourceUser(
                fields[0],
                Optional.empty(),
                Optional.of(name).filter(one -> !one.isBlank()),
                List.of(),
                List.of(),
                Optional.of(uid),
                true));
    }

    private static int number(String text, String login) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException _) {
            throw new IllegalArgumentException("The uid of " + login + " is no whole number.");
        }
    }

    private static boolean flag(String word, String login) {
        return switch (word.toLowerCase(Locale.ROOT)) {
            case "true", "yes", "1" -> true;
            case "false", "no", "0" -> false;
            default -> throw new IllegalArgumentException("Whether " + login + " is active is true or false.");
        };
    }

    private static Failure unusable(String name, String why, Exception cause) {
        return new Failure(
                Diagnostic.error(
                        Code.USER_SOURCE,
                        name + ": " + why + " Nothing was changed.",
                        "Correct it; `deepsite users import --help` shows what a file may have."),
                cause);
    }
}
