package io.deepsite.openstack;

import io.deepsite.state.Secret;
import java.nio.file.Path;
import java.util.Optional;
import okhttp3.HttpUrl;

/**
 * The user, the Keystone and the project of a login.
 *
 * @param origin as messages call it: {@code cloud lab of /home/a/.config/openstack/clouds.yaml}
 * @param authUrl as the user wrote it, with or without a version
 * @param scope empty: the scope that the method implies (application credentials, a token of a project)
 * @param region empty: the only region
 * @param facing public, internal or admin
 * @param client the client certificate, for servers that ask for one
 * @param authority certificates (PEM) to trust instead of the system's
 */
record Credentials(
        String origin,
        HttpUrl authUrl,
        Method method,
        Optional<Scope> scope,
        Optional<String> region,
        String facing,
        Optional<ClientCertificate> client,
        Optional<Path> authority) {

    sealed interface Method {
        /** The user as messages name it; never a secret. */
        String who();
    }

    record Password(Named user, Secret password) implements Method {
        @Override
        public String who() {
            return "the user " + user.words();
        }
    }

    /** @param user who created it; empty if the credential is given by its id */
    record ApplicationCredential(Optional<String> id, Optional<String> name, Optional<Named> user, Secret secret)
            implements Method {
        @Override
        public String who() {
            return "the application credential " + id.or(() -> name).orElse("");
        }
    }

    /** A token that another program obtained; it cannot be renewed. */
    record Token(Secret token) implements Method {
        @Override
        public String who() {
            return "the token";
        }
    }

    /** @param file with the token, which another program renews; read for each login */
    record OidcAccessToken(String identityProvider, String protocol, Optional<Secret> token, Optional<Path> file)
            implements Method {
        @Override
        public String who() {
            return "the access token for " + identityProvider;
        }
    }

    /** By id, or by a name in a domain. */
    record Named(Optional<String> id, Optional<String> name, Optional<Domain> domain) {
        String words() {
            return name.or(() -> id).orElse("");
        }
    }

    record Domain(Optional<String> id, Optional<String> name) {}

    /** Both in PEM; they may be in one file. */
    record ClientCertificate(Path certificate, Path key) {}

    record Scope(Named project) {}
}
