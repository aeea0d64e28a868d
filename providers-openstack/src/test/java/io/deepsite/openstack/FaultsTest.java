package io.deepsite.openstack;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.diag.Code;
import java.net.ConnectException;
import java.security.cert.CertificateException;
import javax.net.ssl.SSLHandshakeException;
import okhttp3.HttpUrl;
import org.junit.jupiter.api.Test;

final class FaultsTest {
    private static final HttpUrl URL = HttpUrl.get("https://cloud.example:5000/v3");

    /** A name with two addresses: the first refuses connections, and failed first. */
    @Test
    void certificateIsToldAlthoughAnotherAddressOfTheNameRefusedFirst() {
        var fault = new ConnectException("Failed to connect to cloud.example/[::1]:5000");
        fault.initCause(new ConnectException("Connection refused"));
        fault.addSuppressed(new SSLHandshakeException(
                "PKIX path building failed", new CertificateException("no trusted authority")));

        var told =
                new Faults("clouds.yaml").unreachable(fault, URL).diagnostics().getFirst();

        assertThat(told.code()).isEqualTo(Code.OPENSTACK_NOT_TRUSTED);
        assertThat(told.why()).contains("no trusted authority");
    }

    @Test
    void refusedConnectionIsNoMatterOfCertificates() {
        var told = new Faults("clouds.yaml")
                .unreachable(new ConnectException("Connection refused"), URL)
                .diagnostics()
                .getFirst();

        assertThat(told.code()).isEqualTo(Code.PROVIDER_UNREACHABLE);
    }
}
