package io.deepsite.cli.view;

import io.deepsite.remote.HostKey;
import io.deepsite.remote.ShellWord;
import io.deepsite.text.Elapsed;
import io.deepsite.text.HostNames;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * A certificate that a service signed: until when, and how its owner logs in.
 *
 * @param answer of the service: account, until, hosts, knownHosts
 */
public record OrderedCertificateView(JsonNode answer, Instant now) {
    /** @param key the private key's file, if it may be there */
    public String text(Path file, Optional<Path> key) {
        var account = answer.path("account").asString("");
        var until = Instant.parse(answer.path("until").asString(""));
        var text = new StringBuilder("%s logs in with %s until %s, %s.\n"
                .formatted(account, file, Elapsed.utc(until), LeaseWords.left(until, now)));
        var hosts = answer.path("hosts").properties().stream()
                .sorted(Map.Entry.comparingByKey(HostNames::compare))
                .toList();
        if (hosts.isEmpty()) {
            return text.append("No host accepts it yet.\n").toString();
        }
        var first = hosts.getFirst();
        var address = first.getValue().asString("");
        text.append(hosts.size() == 1 ? "One host accepts it: " : hosts.size() + " hosts accept it: ")
                .append(HostNames.brief(hosts.stream().map(Map.Entry::getKey).toList()))
                .append(". Log in to ")
                .append(first.getKey())
                .append(":\n\n    ")
                .append(String.join(" ", CertificateView.ssh(file, key)))
                .append(' ')
                .append(ShellWord.quoteIfNeeded(account + "@" + address))
                .append('\n');
        hostKey(address)
                .ifPresent(known -> text.append("\nThe first time ssh asks about the host's key, which is ")
                        .append(known.fingerprint())
                        .append(".\n"));
        return text.toString();
    }

    private Optional<HostKey> hostKey(String address) {
        return answer.path("knownHosts")
                .asString("")
                .lines()
                .filter(line -> line.startsWith(address + " "))
                .findFirst()
                .map(line -> HostKey.parse(line.substring(address.length() + 1)));
    }
}
