package io.deepsite.lxd;

import io.deepsite.diag.Failure;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import okhttp3.HttpUrl;

/** Gets a server's certificate and closes the connection at once: deepsite sends nothing to an unknown server. */
final class ShownCertificate {
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private ShownCertificate() {}

    /** @throws Failure if the server does not answer, or does not use TLS */
    static X509Certificate of(HttpUrl base, Faults faults) {
        var shown = new AtomicReference<X509Certificate>();
        try {
            var context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {new Recorder(shown)}, null);
            int millis = (int) PATIENCE.toMillis();
            try (var socket = new Socket()) {
                socket.connect(new InetSocketAddress(base.host(), base.port()), millis);
                socket.setSoTimeout(millis);
                try (var tls =
                        (SSLSocket) context.getSocketFactory().createSocket(socket, base.host(), base.port(), true)) {
                    tls.startHandshake();
                }
            }
            throw new IOException("it completed the handshake that the client refused");
        } catch (IOException e) {
            var certificate = shown.get();
            if (certificate == null) {
                throw faults.unreachable(e);
            }
            return certificate;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Records the server's certificate, and trusts none. */
    private record Recorder(AtomicReference<X509Certificate> shown) implements X509TrustManager {
        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
            shown.set(chain[0]);
            throw new CertificateException("recorded, not trusted");
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType) throws CertificateException {
            throw new CertificateException("only servers are checked");
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
