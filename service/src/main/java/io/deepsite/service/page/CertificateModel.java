package io.deepsite.service.page;

import io.deepsite.service.api.Bodies;

/** A certificate that was signed, and what to do with it. */
public record CertificateModel(Frame frame, String site, Bodies.Certificate certificate, String until) {

    /** To the first of its machines. */
    public String command() {
        var host = certificate.hosts().firstEntry();
        return "ssh -i ~/.ssh/id_ed25519 -o CertificateFile=~/.ssh/deepsite-cert.pub " + certificate.account() + "@"
                + (host == null ? "" : host.getValue());
    }
}
