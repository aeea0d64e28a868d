package io.deepsite.lxd;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.diag.FileFault;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Optional;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.openssl.PEMKeyPair;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.openssl.jcajce.JcaPEMKeyConverter;

/** The client certificate that the daemon trusts, and the server certificate that deepsite trusts. */
record ClientIdentity(SSLContext context, PinnedCertificate pin) {
    private static final char[] NO_PASSWORD = {};

    static ClientIdentity read(DaemonSettings settings, Path folder) {
        var daemon = settings.daemon();
        var certificate = certificate(file(settings.certificate(), "certificate", folder, daemon), daemon);
        var key = key(file(settings.key(), "key", folder, daemon), daemon);
        var pin = new PinnedCertificate(
                certificate(file(settings.serverCertificate(), "serverCertificate", folder, daemon), daemon));
        try {
            var store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            store.setKeyEntry("client", key, NO_PASSWORD, new X509Certificate[] {certificate});
            var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keys.init(store, NO_PASSWORD);
            var context = SSLContext.getInstance("TLS");
            context.init(keys.getKeyManagers(), new TrustManager[] {pin}, null);
            return new ClientIdentity(context, pin);
        } catch (GeneralSecurityException | IOException e) {
            throw new Failure(
                    Diagnostic.error(
                            Code.LXD_CERTIFICATE_UNREADABLE,
                            "The client certificate and key do not make an identity: " + e.getMessage() + ".",
                            "Check that " + daemon.setting("key") + " belongs to " + daemon.setting("certificate")
                                    + "."),
                    e);
        }
    }

    static Path file(Optional<String> setting, String key, Path folder, Daemon daemon) {
        var text = setting.orElseThrow(() -> new Failure(Diagnostic.error(
                Code.CERTIFICATE_NEEDED,
                daemon.setting(key) + " is missing.",
                "An https endpoint needs certificate, key and serverCertificate.")));
        return file(text, folder);
    }

    private static Path file(String text, Path folder) {
        return text.startsWith("~/")
                ? Path.of(System.getProperty("user.home"), text.substring(2))
                : folder.resolve(text);
    }

    /** The text of a certificate, to send to the daemon. */
    static String text(String setting, Path folder, Daemon daemon) {
        var file = file(setting, folder);
        certificate(file, daemon);
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw unreadable(file, "a PEM certificate", e, daemon);
        }
    }

    static X509Certificate certificate(Path file, Daemon daemon) {
        try {
            var factory = CertificateFactory.getInstance("X.509");
            return (X509Certificate) factory.generateCertificate(new ByteArrayInputStream(Files.readAllBytes(file)));
        } catch (GeneralSecurityException | IOException e) {
            throw unreadable(file, "a PEM certificate", e, daemon);
        }
    }

    private static PrivateKey key(Path file, Daemon daemon) {
        try (var parser = new PEMParser(new StringReader(Files.readString(file)))) {
            var converter = new JcaPEMKeyConverter();
            for (var object = parser.readObject(); object != null; object = parser.readObject()) {
                // Its own client writes "EC PRIVATE KEY"; some versions put the curve in a separate block before it.
                switch (object) {
                    case PEMKeyPair pair -> {
                        return converter.getPrivateKey(pair.getPrivateKeyInfo());
                    }
                    case PrivateKeyInfo info -> {
                        return converter.getPrivateKey(info);
                    }
                    default -> {}
                }
            }
            throw new IOException("no private key in it");
        } catch (IOException e) {
            throw unreadable(file, "a PEM private key without a passphrase", e, daemon);
        }
    }

    private static Failure unreadable(Path file, String what, Exception cause, Daemon daemon) {
        var why = cause instanceof IOException fault ? FileFault.words(fault) : cause.getMessage();
        return new Failure(
                Diagnostic.error(
                        Code.LXD_CERTIFICATE_UNREADABLE,
                        file + " cannot be read as " + what + ": " + why + ".",
                        "Name the files of " + daemon + "'s own client (in " + daemon.clientFolder()
                                + "). If there are none, create them with a token of " + daemon.host() + ":",
                        "deepsite enroll --token-file " + daemon.tokenFile()),
                cause);
    }
}
