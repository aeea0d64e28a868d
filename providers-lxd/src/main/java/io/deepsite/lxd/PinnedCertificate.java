package io.deepsite.lxd;

import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import javax.net.ssl.X509TrustManager;

/** Trusts only one server certificate, which LXD has self-signed. */
final class PinnedCertificate implements X509TrustManager {
    private final X509Certificate pinned;

    PinnedCertificate(X509Certificate pinned) {
        this.pinned = pinned;
    }

    boolean isPeer(SSLSession session) {
        try {
            return session.getPeerCertificates()[0].equals(pinned);
        } catch (SSLPeerUnverifiedException _) {
            return false;
        }
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        if (chain.length == 0 || !chain[0].equals(pinned)) {
            throw new CertificateException("not the pinned server certificate");
        }
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
