package io.deepsite.cli.view;

import io.deepsite.operations.UserCertificates;
import io.deepsite.remote.HostKey;
import io.deepsite.remote.ShellWord;
import io.deepsite.site.SshJump;
import io.deepsite.state.RecordedHost;
import io.deepsite.text.Elapsed;
import io.deepsite.text.HostNames;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * A certificate that was signed: until when, and how its user logs in.
 *
 * @param jump through which hosts without one of the site's own are reached
 */
public record CertificateView(
        String user, String site, UserCertificates.Signed signed, Optional<SshJump> jump, Instant now) {
    private static final int USUAL_PORT = 22;

    /** @param key the private key's file, if it may be there */
    public String text(Path file, Optional<Path> key) {
        var names = signed.hosts().keySet().stream().sorted(HostNames::compare).toList();
        var host = names.stream()
                .filter(name -> known(name).via() == null)
                .findFirst()
                .orElse(names.getFirst());
        var there = known(host);
        var text = new StringBuilder("%s logs in with %s until %s, %s%s.\n"
                .formatted(
                        user,
                        file,
                        Elapsed.utc(signed.until()),
                        LeaseWords.left(signed.until(), now),
                        signed.endsWithLease() ? "; the site's lease ends then" : ""));
        text.append(
                        signed.hosts().size() == 1
                                ? "One host accepts it: "
                                : signed.hosts().size() + " hosts accept it: ")
                .append(HostNames.brief(names))
                .append(". Log in to ")
                .append(host)
                .append(":\n\n    ")
                .append(command(there, file, key))
                .append('\n');
        var hostKey = there.hostKey();
        if (hostKey != null) {
            text.append("\nThe first time ssh asks about the host's key, which is ")
                    .append(HostKey.parse(hostKey).fingerprint())
                    .append(".\n");
        }
        return text.toString();
    }

    private RecordedHost known(String host) {
        return Objects.requireNonNull(signed.hosts().get(host));
    }

    private String command(RecordedHost host, Path file, Optional<Path> key) {
        var words = ssh(file, key);
        var via = host.via() == null ? null : signed.hosts().get(host.via());
        if (via != null) {
            words.addAll(List.of("-J", user + "@" + via.address() + ifUnusual(via.port())));
        } else if (host.via() == null) {
            // The account of deepsite there is not the user's.
            jump.ifPresent(gate -> words.addAll(List.of("-J", gate.host() + ifUnusual(gate.port()))));
        }
        if (host.port() != USUAL_PORT) {
            words.addAll(List.of("-p", Integer.toString(host.port())));
        }
        words.add(user + "@" + host.address());
        return String.join(" ", words);
    }

    /** ssh with this certificate, which it finds by itself beside its key. */
    static List<String> ssh(Path file, Optional<Path> key) {
        var words = new ArrayList<>(List.of("ssh"));
        key.ifPresent(of -> words.addAll(List.of("-i", ShellWord.quoteIfNeeded(of.toString()))));
        if (!file.toString().equals(key.map(of -> of + "-cert.pub").orElse(""))) {
            words.addAll(List.of("-o", ShellWord.quoteIfNeeded("CertificateFile=" + file)));
        }
        return words;
    }

    private static String ifUnusual(int port) {
        return port == USUAL_PORT ? "" : ":" + port;
    }

    public Map<String, Object> json(Optional<Path> file) {
        var json = new LinkedHashMap<String, Object>();
        json.put("site", site);
        json.put("user", user);
        json.put("certificate", signed.text());
        file.ifPresent(there -> json.put("file", there.toString()));
        json.put("principals", signed.principals());
        json.put("id", signed.id());
        json.put("serial", signed.serial());
        json.put("validFrom", signed.from());
        json.put("validUntil", signed.until());
        json.put("endsWithLease", signed.endsWithLease());
        json.put(
                "hosts",
                signed.hosts().entrySet().stream().map(CertificateView::host).toList());
        return json;
    }

    private static Map<String, Object> host(Map.Entry<String, RecordedHost> entry) {
        var host = entry.getValue();
        var json = new LinkedHashMap<String, Object>();
        json.put("name", entry.getKey());
        json.put("address", host.address());
        json.put("port", host.port());
        if (host.via() != null) {
            json.put("via", host.via());
        }
        if (host.hostKey() != null) {
            json.put("hostKey", host.hostKey());
        }
        return json;
    }
}
