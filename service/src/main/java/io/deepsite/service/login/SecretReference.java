package io.deepsite.service.login;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.diag.FileFault;
import io.deepsite.site.Key;
import io.deepsite.site.OneOf;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** Where a secret is: settings never hold one. */
@OneOf(
        value = {"file", "env"},
        why = "A secret is in a file or in a variable of the environment.")
public record SecretReference(
        @Key(
                value = "A file that holds it and nothing else (a full path), which only the service can read.",
                example = "/etc/deepsite/client-secret",
                pattern = "/.+")
        Optional<String> file,

        @Key(
                value = "The variable of the service's environment that holds it.",
                example = "DEEPSITE_CLIENT_SECRET",
                pattern = "[A-Za-z_][A-Za-z0-9_]*")
        Optional<String> env) {

    /** @throws Failure SECRET_NOT_READ */
    public String read(Map<String, String> environment) {
        var secret = file.map(SecretReference::content)
                .or(() -> env.flatMap(name -> Optional.ofNullable(environment.get(name))))
                .map(String::strip)
                .orElse("");
        if (secret.isEmpty()) {
            throw new Failure(Diagnostic.error(
                    Code.SECRET_NOT_READ,
                    file.map(name -> "The file " + name + " is empty.")
                            .orElseGet(() -> "The variable " + env.orElse("") + " is not set."),
                    "Put the secret there, or name another place."));
        }
        return secret;
    }

    private static String content(String file) {
        try {
            return Files.readString(Path.of(file));
        } catch (IOException e) {
            throw new Failure(
                    Diagnostic.error(
                            Code.SECRET_NOT_READ,
                            "The file " + file + " cannot be read: " + FileFault.words(e),
                            "Put the secret there, readable by the user of the service."),
                    e);
        }
    }
}
