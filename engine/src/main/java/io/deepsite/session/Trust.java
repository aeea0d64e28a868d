package io.deepsite.session;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.diag.FileFault;
import io.deepsite.diag.Where;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;

/** Trust in the certificates of a file, and in no others. */
final class Trust {
    private Trust() {}

    /** @throws Failure FILE_UNREADABLE */
    static SSLSocketFactory of(Path file) {
        try (var in = Files.newInputStream(file)) {
            var store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            int number = 0;
            for (var certificate : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
                store.setCertificateEntry("authority-" + number++, certificate);
            }
            var managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            managers.init(store);
            var context = SSLContext.getInstance("TLS");
            context.init(null, managers.getTrustManagers(), null);
            return context.getSocketFactory();
        } catch (IOException e) {
            throw unreadable(file, FileFault.words(e), e);
        } catch (GeneralSecurityException e) {
            throw unreadable(file, "It holds no certificate in PEM.", e);
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
