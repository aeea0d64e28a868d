package io.deepsite.openstack;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.Date;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import mockwebserver3.MockWebServer;
import okhttp3.HttpUrl;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** A cloud with a certificate that only the test trusts. */
final class SelfSigned {
    private final Path folder;

    SelfSigned(Path folder) {
        this.folder = folder;
    }

    /** @param key of the certificate; both in PEM */
    record Secure(MockWebServer server, Path certificate, Path key) implements AutoCloseable {
        HttpUrl url() {
            return server.url("/v3");
        }

        @Override
        public void close() {
            server.close();
        }
    }

    /** Serves the answers of the given cloud. */
    Secure serving(RecordedCloud cloud) throws Exception {
        return serving(cloud, false);
    }

    /** The same, only to clients with a certificate of the same authority. */
    Secure servingWhoShowsOne(RecordedCloud cloud) throws Exception {
        return serving(cloud, true);
    }

    private Secure serving(RecordedCloud cloud, boolean asking) throws Exception {
        var keys = KeyPairGenerator.getInstance("EC").generateKeyPair();
        var name = new X500Name("CN=cloud.example");
        var now = Instant.now();
        var builder = new JcaX509v3CertificateBuilder(
                name,
                BigInteger.ONE,
                Date.from(now.minus(1, ChronoUnit.DAYS)),
                Date.from(now.plus(1, ChronoUnit.DAYS)),
                name,
                keys.getPublic());
        builder.addExtension(Extension.subjectAlternativeName, false, new GeneralNames(new GeneralName[] {
            new GeneralName(GeneralName.dNSName, "localhost"), new GeneralName(GeneralName.iPAddress, "127.0.0.1")
        }));
        var certificate = new JcaX509CertificateConverter()
                .getCertificate(builder.build(new JcaContentSignerBuilder("SHA256withECDSA").build(keys.getPrivate())));
        var store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        store.setKeyEntry("server", keys.getPrivate(), new char[0], new Certificate[] {certificate});
        var managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(store, new char[0]);
        var context = SSLContext.getInstance("TLS");
        var trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        var authorities = KeyStore.getInstance(KeyStore.getDefaultType());
        authorities.load(null, null);
        authorities.setCertificateEntry("authority", certificate);
        trusted.init(authorities);
        context.init(managers.getKeyManagers(), trusted.getTrustManagers(), null);
        var server = new MockWebServer();
        server.setDispatcher(cloud.server.getDispatcher());
        server.useHttps(context.getSocketFactory());
        if (asking) {
            server.requireClientAuth();
        }
        server.start();
        return new Secure(
                server,
                pem("authority.pem", "CERTIFICATE", certificate.getEncoded()),
                pem("authority.key", "PRIVATE KEY", keys.getPrivate().getEncoded()));
    }

    private Path pem(String file, String what, byte[] encoded) throws IOException {
        var text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(encoded);
        return Files.writeString(
                folder.resolve(file), "-----BEGIN " + what + "-----\n" + text + "\n-----END " + what + "-----\n");
    }
}
