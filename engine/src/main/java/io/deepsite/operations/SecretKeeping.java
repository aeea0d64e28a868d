package io.deepsite.operations;

import io.deepsite.apply.Access;
import io.deepsite.apply.SecretNames;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.remote.LoginKey;
import io.deepsite.state.Secret;
import java.security.SecureRandom;
import java.util.SortedSet;
import java.util.TreeSet;

/** Secrets of a site that its administrator may see and change; the next apply brings a change to the hosts. */
public final class SecretKeeping {
    private final SiteContext context;

    public SecretKeeping(SiteContext context) {
        this.context = context;
    }

    /** Without SSH keys: those of machines are made and gone with them, and the site's own opens the machines. */
    public SortedSet<String> names() {
        var names = new TreeSet<>(context.secrets().names());
        names.removeIf(SecretKeeping::isSshKey);
        return names;
    }

    /** @throws Failure SECRET_UNKNOWN */
    public Secret show(String name) {
        return context.secrets().require(known(name));
    }

    /** Another one of the same kind in its place. */
    public void rotate(String name) {
        known(name);
        put(name, SecretNames.kind(name).generate(new SecureRandom()));
    }

    /**
     * Adds or replaces.
     *
     * @throws Failure SECRET_UNKNOWN, SECRET_VALUE: then nothing has changed
     */
    public void set(String name, String text) {
        if (isSshKey(name)) {
            throw unknown(name);
        }
        put(name, read(name, text));
    }

    private static boolean isSshKey(String name) {
        return Access.isHostKey(name) || LoginKey.isName(name);
    }

    private static Secret read(String name, String text) {
        try {
            return SecretNames.kind(name).read(text);
        } catch (IllegalArgumentException e) {
            throw new Failure(Diagnostic.error(
                    Code.SECRET_VALUE,
                    name + " has to be " + e.getMessage() + ". Nothing was changed.",
                    "Give such a value:",
                    "deepsite secrets set " + name + " < FILE"));
        }
    }

    private void put(String name, Secret value) {
        try (var lock = context.lock().acquire("secrets")) {
            lock.requireHeld();
            context.secrets().put(name, value);
            // A plan that was saved before knows nothing of it: the next serial makes it stale.
            context.store().read().ifPresent(context.store()::write);
        }
    }

    private String known(String name) {
        if (!names().contains(name)) {
            throw unknown(name);
        }
        return name;
    }

    private Failure unknown(String name) {
        return new Failure(Diagnostic.error(
                Code.SECRET_UNKNOWN,
                "\"" + name + "\" is none of the site's secrets; it has: "
                        + (names().isEmpty() ? "none yet" : String.join(", ", names())) + ".",
                "Correct the name."));
    }
}
