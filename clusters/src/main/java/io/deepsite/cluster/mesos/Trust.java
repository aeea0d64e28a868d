package io.deepsite.cluster.mesos;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.diag.FileFault;
import io.deepsite.diag.Where;
import io.deepsite.provider.AuthorityFile;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import javax.net.ssl.SSLSocketFactory;

/** Trusts only the certificates in a file. */
final class Trust {
    private Trust() {}

    /** @throws Failure FILE_UNREADABLE */
    static SSLSocketFactory of(Path file) {
        try {
            return AuthorityFile.sockets(file);
        } catch (IOException e) {
            throw unreadable(file, FileFault.words(e), e);
        } catch (GeneralSecurityException e) {
            throw unreadable(file, "It contains no PEM certificate.", e);
        }
    }

    private static Failure unreadable(Path file, String why, Exception cause) {
        return new Failure(
                Diagnostic.error(
                        Code.FILE_UNREADABLE,
                        Where.file(file.toString()),
                        why,
                        "Name a file with the certificate of the authority."),
                cause);
    }
}
