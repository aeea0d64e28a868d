package io.deepsite.lxd;

import java.io.IOException;
import java.io.StringWriter;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Date;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.util.io.pem.PemObject;

/** Makes a client certificate like the one of lxc. LXD checks nothing but its fingerprint. */
final class ClientPair {
    private static final long YEARS = 10;

    private ClientPair() {}

    /** Neither file may exist. */
    static void make(Path certificate, Path key) throws IOException {
        try {
            var generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp384r1"));
            var pair = generator.generateKeyPair();
            var name = new X500Name("CN=deepsite");
            var now = Instant.now();
            var made = new JcaX509v3CertificateBuilder(
                            name,
                            BigInteger.valueOf(now.toEpochMilli()),
                            Date.from(now.minus(1, ChronoUnit.DAYS)),
                            Date.from(now.plus(YEARS * 365, ChronoUnit.DAYS)),
                            name,
                            pair.getPublic())
                    .build(new JcaContentSignerBuilder("SHA384withECDSA").build(pair.getPrivate()));
            write(key, new PemObject("PRIVATE KEY", pair.getPrivate().getEncoded()), "rw-------");
            write(certificate, made, "rw-r--r--");
        } catch (GeneralSecurityException | OperatorCreationException e) {
            throw new IllegalStateException(e);
        }
    }

    static void write(Path file, X509Certificate certificate) throws IOException {
        write(file, certificate, "rw-r--r--");
    }

    /** Creates the file with its final permissions. */
    private static void write(Path file, Object what, String rights) throws IOException {
        var text = new StringWriter();
        try (var writer = new JcaPEMWriter(text)) {
            writer.writeObject(what);
        }
        var parent = file.toAbsolutePath().getParent();
        if (parent != null) {
            Files.createDirectories(parent);
        }
        Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(rights)));
        Files.writeString(file, text.toString());
    }
}
