package io.deepsite.provider;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.Arrays;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;

/** Trust in the authorities whose certificates a file holds, and in no others. */
public final class AuthorityFile {
    private AuthorityFile() {}

    /** @param manager of these sockets: libraries ask for both */
    public record Trust(SSLSocketFactory sockets, X509TrustManager manager) {}

    /**
     * @param file certificates in PEM
     * @throws GeneralSecurityException when it holds no certificate, or something else
     */
    public static SSLSocketFactory sockets(Path file) throws IOException, GeneralSecurityException {
        return trust(file).sockets();
    }

    /**
     * @param file certificates in PEM
     * @throws GeneralSecurityException when it holds no certificate, or something else
     */
    public static Trust trust(Path file) throws IOException, GeneralSecurityException {
        try (var in = Files.newInputStream(file)) {
            var store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            int count = 0;
            for (var certificate : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
                store.setCertificateEntry("authority-" + count++, certificate);
            }
            if (count == 0) {
                throw new GeneralSecurityException("it holds no certificate");
            }
            var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            var context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return new Trust(
                    context.getSocketFactory(),
                    Arrays.stream(trust.getTrustManagers())
                            .filter(X509TrustManager.class::isInstance)
                            .map(X509TrustManager.class::cast)
                            .findFirst()
                            .orElseThrow());
        }
    }
}
