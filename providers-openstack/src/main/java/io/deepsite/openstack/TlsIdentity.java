package io.deepsite.openstack;

import io.deepsite.diag.FileFault;
import io.deepsite.openstack.Credentials.ClientCertificate;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;

/** The trusted certificates and the client certificate of a connection, from files in PEM. */
final class TlsIdentity {
    /** Of a file with a key; a certificate may come before it. */
    private static final Pattern KEY =
            Pattern.compile("-----BEGIN ([A-Z ]*)PRIVATE KEY-----([^-]+)-----END \\1PRIVATE KEY-----");

    private static final List<String> ALGORITHMS = List.of("RSA", "EC", "EdDSA");
    private static final char[] NO_PASSWORD = {};

    private final Faults faults;

    TlsIdentity(Faults faults) {
        this.faults = faults;
    }

    /** @param authority instead of the system's own */
    X509TrustManager trusted(Optional<Path> authority) {
        try {
            var managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            // Null means the system's.
            KeyStore store = authority.isPresent() ? authorities(authority.get()) : null;
            managers.init(store);
            return (X509TrustManager) managers.getTrustManagers()[0];
        } catch (IOException | GeneralSecurityException e) {
            throw faults.unusable(
                    "The authority's certificate "
                            + authority.map(Path::toString).orElse("") + " cannot be used: " + why(e) + ".",
                    "Name a file with certificates in PEM as cacert, or in OS_CACERT.");
        }
    }

    private static KeyStore authorities(Path file) throws IOException, GeneralSecurityException {
        var store = empty();
        int number = 0;
        for (var certificate : certificates(file)) {
            store.setCertificateEntry("authority-" + number++, certificate);
        }
        return store;
    }

    SSLSocketFactory sockets(Optional<ClientCertificate> client, X509TrustManager trusted) {
        try {
            var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            var store = empty();
            if (client.isPresent()) {
                var chain = certificates(client.get().certificate()).toArray(Certificate[]::new);
                store.setKeyEntry("client", key(client.get().key()), NO_PASSWORD, chain);
            }
            keys.init(store, NO_PASSWORD);
            var context = SSLContext.getInstance("TLS");
            context.init(keys.getKeyManagers(), new TrustManager[] {trusted}, null);
            return context.getSocketFactory();
        } catch (IOException | GeneralSecurityException e) {
            throw faults.unusable(
                    "The client certificate "
                            + client.map(ClientCertificate::certificate).orElseThrow()
                            + " with the key "
                            + client.map(ClientCertificate::key).orElseThrow() + " cannot be used: "
                            + why(e) + ".",
                    "Set cert and key to PEM files; the key must be in PKCS 8 form, without a passphrase. This converts one:",
                    "openssl pkcs8 -topk8 -nocrypt -in old.key -out new.key");
        }
    }

    private static KeyStore empty() throws IOException, GeneralSecurityException {
        var store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        return store;
    }

    private static List<? extends Certificate> certificates(Path file) throws IOException, GeneralSecurityException {
        // The factory cannot read a key in the same file.
        var pem =
                KEY.matcher(Files.readString(file, StandardCharsets.ISO_8859_1)).replaceAll("");
        var found = List.copyOf(CertificateFactory.getInstance("X.509")
                .generateCertificates(new ByteArrayInputStream(pem.getBytes(StandardCharsets.ISO_8859_1))));
        if (found.isEmpty()) {
            throw new GeneralSecurityException(file.getFileName() + " holds no certificate");
        }
        return found;
    }

    private static PrivateKey key(Path file) throws IOException, GeneralSecurityException {
        var found = KEY.matcher(Files.readString(file, StandardCharsets.ISO_8859_1));
        if (!found.find()) {
            throw new GeneralSecurityException(file.getFileName() + " holds no private key");
        }
        if (!found.group(1).isEmpty()) {
            throw new GeneralSecurityException(file.getFileName() + " holds a key of the form "
                    + found.group(1).strip() + ", not of PKCS 8");
        }
        var encoded = new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(found.group(2)));
        for (var algorithm : ALGORITHMS) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(encoded);
            } catch (InvalidKeySpecException _) {
                // Of another kind.
            }
        }
        throw new GeneralSecurityException(
                file.getFileName() + " holds a key of none of the kinds " + String.join(", ", ALGORITHMS));
    }

    /** Without the contents of the files. */
    private static String why(Exception fault) {
        return fault instanceof IOException io ? FileFault.words(io) : String.valueOf(fault.getMessage());
    }
}
