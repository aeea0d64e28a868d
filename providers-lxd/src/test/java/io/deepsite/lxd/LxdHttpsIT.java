package io.deepsite.lxd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deepsite.diag.Failure;
import io.deepsite.provider.Tags.Scope.AllSites;
import java.io.IOException;
import java.io.StringWriter;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.security.interfaces.ECPrivateKey;
import java.security.spec.ECGenParameterSpec;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.Date;
import java.util.Map;
import org.bouncycastle.asn1.sec.SECObjectIdentifiers;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.util.io.pem.PemObject;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A real LXD over https: it trusts the client certificate, and the client pins its certificate. */
@ExtendWith(GpuDaemon.class)
final class LxdHttpsIT {
    @TempDir
    private Path folder;

    private final RealLxd lxd = new RealLxd(GpuDaemon.settings());
    private String endpoint = "";

    @BeforeEach
    void listen() throws IOException {
        endpoint = lxd.listen();
        var server = lxd.rest().get(lxd.rest().path(), JsonNode.class);
        Files.writeString(
                folder.resolve("server.crt"),
                server.path("environment").path("certificate").asString());
        makeClient();
    }

    @Test
    void onlyTrustedClientAndPinnedServerConnect() throws IOException {
        assertThatThrownBy(() -> survey("server.crt"))
                .isInstanceOf(Failure.class)
                .hasMessageContaining("DS2102");

        trust();
        survey("server.crt");

        assertThatThrownBy(() -> survey("client.crt"))
                .isInstanceOf(Failure.class)
                .hasMessageContaining("DS2103");
    }

    @Test
    void unreadableKeyNamesTheFile() throws IOException {
        Files.writeString(folder.resolve("client.key"), "nothing");

        assertThatThrownBy(() -> survey("server.crt"))
                .isInstanceOf(Failure.class)
                .hasMessageContaining("DS2104")
                .hasMessageContaining("client.key");
    }

    private void survey(String serverCertificate) {
        var settings = SampleSettings.at(
                        endpoint,
                        GpuDaemon.settings().pool(),
                        GpuDaemon.settings().network())
                .certificates("client.crt", "client.key", serverCertificate)
                .lxd();
        try (var provider = new LxdProviderFactory().open(settings, folder)) {
            assertThat(provider.capabilities().local()).isFalse();
            var survey = provider.survey(new AllSites());
            assertThat(survey.describe().getFirst()).contains(endpoint);
            try (var local = new LxdProviderFactory().open(GpuDaemon.settings(), folder)) {
                assertThat(local.survey(new AllSites()).backEnd().identity())
                        .isEqualTo(survey.backEnd().identity());
            }
        }
    }

    private void trust() throws IOException {
        var pem = Files.readString(folder.resolve("client.crt"));
        var der = Base64.getMimeDecoder().decode(pem.replaceAll("-----.*-----", ""));
        lxd.rest()
                .send(
                        "POST",
                        lxd.rest().path("certificates"),
                        Map.of(
                                "type",
                                "client",
                                "name",
                                "ct",
                                "certificate",
                                Base64.getEncoder().encodeToString(der)));
    }

    private void makeClient() {
        try {
            var generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp384r1"));
            var pair = generator.generateKeyPair();
            var name = new X500Name("CN=ct");
            var now = Instant.now();
            var certificate = new JcaX509v3CertificateBuilder(
                            name,
                            BigInteger.valueOf(now.toEpochMilli()),
                            Date.from(now.minus(1, ChronoUnit.DAYS)),
                            Date.from(now.plus(1, ChronoUnit.DAYS)),
                            name,
                            pair.getPublic())
                    .build(new JcaContentSignerBuilder("SHA384withECDSA").build(pair.getPrivate()));
            pem(certificate, "client.crt");
            // As lxc writes it: SEC 1, with the curve inside.
            var secret = ((ECPrivateKey) pair.getPrivate()).getS();
            var sec1 = new org.bouncycastle.asn1.sec.ECPrivateKey(384, secret, SECObjectIdentifiers.secp384r1);
            pem(new PemObject("EC PRIVATE KEY", sec1.getEncoded()), "client.key");
        } catch (GeneralSecurityException | OperatorCreationException | IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private void pem(Object object, String file) throws IOException {
        var text = new StringWriter();
        try (var writer = new JcaPEMWriter(text)) {
            writer.writeObject(object);
        }
        Files.writeString(folder.resolve(file), text.toString());
    }
}
