package io.deepsite.operations;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.diag.FileFault;
import io.deepsite.plan.FormerUsers;
import io.deepsite.site.Name;
import io.deepsite.site.User;
import io.deepsite.site.UsersFile;
import io.deepsite.site.load.DocumentLoader;
import io.deepsite.site.load.SiteLoader;
import io.deepsite.state.SiteState;
import io.deepsite.state.StateRecorder;
import io.deepsite.users.SourceUser;
import io.deepsite.users.UserImport;
import io.deepsite.users.UserImport.Kind;
import io.deepsite.users.UsersFileText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Brings users of another system into the file beside site.yaml that has them; the next apply brings them to the hosts. */
public final class UsersImport {
    private final SiteContext context;
    private final UserImport.Rules rules;
    private final boolean lockMany;

    /** @param lockMany whether more than half of the users may be locked at once */
    public UsersImport(SiteContext context, UserImport.Rules rules, boolean lockMany) {
        this.context = context;
        this.rules = rules;
        this.lockMany = lockMany;
    }

    /**
     * The file that is written.
     *
     * @throws Failure USERS_FILE_NOT_NAMED
     */
    public Path file() {
        return SiteLoader.usersFile(context.file(), context.site())
                .orElseThrow(() -> new Failure(Diagnostic.error(
                        Code.USERS_FILE_NOT_NAMED,
                        context.file() + " has no usersFrom, so there is no place for users that are imported.",
                        "Add \"usersFrom: users.yaml\", and an empty file:",
                        "echo 'users: {}' > users.yaml")));
    }

    /**
     * What an import would do; changes nothing.
     *
     * @throws Failure USER_SOURCE, USERS_INCOMPLETE, MANY_LOCKED
     */
    public UserImport.Result plan(List<SourceUser> source) {
        return plan(source, context.state());
    }

    /**
     * Keeps the uids in the state, then writes the file.
     *
     * @throws Failure as {@link #plan}, and FILE_NOT_WRITTEN: uids that were given stay with their users
     */
    public UserImport.Result run(List<SourceUser> source) {
        try (var lock = context.lock().acquire("users import")) {
            var state = context.state();
            var result = plan(source, state);
            if (!result.register().equals(state.users())) {
                new StateRecorder(context.store(), lock, state).record(now -> now.withUsers(result.register()));
            }
            var file = file();
            var text = UsersFileText.of(result.users());
            try {
                if (!Files.readString(file).equals(text)) {
                    write(file, text);
                }
            } catch (IOException e) {
                throw FileFault.notWritten(file, e);
            }
            return result;
        }
    }

    private UserImport.Result plan(List<SourceUser> source, SiteState state) {
        if (source.stream().noneMatch(SourceUser::active)) {
            throw new Failure(Diagnostic.error(
                    Code.USERS_INCOMPLETE,
                    "The source names no active user at all. Nothing was changed.",
                    "Ask its administrator; a client that may not list users can get an empty list."));
        }
        var imported = imported();
        var own = new LinkedHashMap<>(context.site().users());
        own.keySet().removeAll(imported.keySet());
        var accounts = new TreeMap<String, Integer>();
        FormerUsers.accounts(state).values().forEach(accounts::putAll);
        var result = new UserImport(
                        new UserImport.Known(
                                own,
                                imported,
                                state.users(),
                                accounts,
                                context.site().ssh().user()),
                        rules)
                .of(source);
        refuseToLockMany(imported, result);
        return result;
    }

    private void refuseToLockMany(Map<Name, User> imported, UserImport.Result result) {
        long locked = result.count(Kind.LOCKED);
        long open = imported.values().stream().filter(user -> !user.locked()).count();
        if (!lockMany && locked > 1 && locked * 2 > open) {
            throw new Failure(Diagnostic.error(
                    Code.MANY_LOCKED,
                    locked + " of " + open + " users are not in the source any more. Nothing was changed.",
                    "Check the source and --group. If they did leave, add --lock-many."));
        }
    }

    private Map<Name, User> imported() {
        return new DocumentLoader<>(
                        UsersFile.class, "a file of users", "users: {}", "`deepsite users import` writes such a file.")
                .load(file(), (_, _, _) -> {})
                .users();
    }

    /** As a whole or not at all. */
    private static void write(Path file, String text) throws IOException {
        var part = file.resolveSibling(file.getFileName() + ".part");
        try {
            Files.writeString(part, text);
            Files.move(part, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(part);
        }
    }
}
