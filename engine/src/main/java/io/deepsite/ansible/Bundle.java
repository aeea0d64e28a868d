package io.deepsite.ansible;

import io.deepsite.contract.Contract;
import io.deepsite.remote.SshTarget;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What a bundle holds.
 *
 * @param stages in order
 * @param leaves roles that go from hosts; a bundle that is only rendered has none
 * @param parts one for each role on each host
 * @param vaultKey the file with the key of what is secret in it; empty when nothing is
 */
public record Bundle(
        String site,
        List<Play> stages,
        List<Play> leaves,
        List<SshTarget> hosts,
        List<Part> parts,
        Optional<Path> vaultKey) {
    public Bundle {
        stages = List.copyOf(stages);
        leaves = List.copyOf(leaves);
        hosts = List.copyOf(hosts);
        parts = List.copyOf(parts);
    }

    /**
     * One playbook: one role on some hosts.
     *
     * @param batch hosts at a time; 0 for all
     */
    public record Play(String name, String role, List<String> hosts, int batch) {
        public Play {
            hosts = List.copyOf(hosts);
        }

        /** Below the bundle, where the contracts are looked for beside it. */
        public String file() {
            return name + ".yml";
        }
    }

    /**
     * @param name under which the role's tasks find it
     * @param contract as the host shall hold it; the digests of its files are those of the bytes
     */
    public record Part(String name, Contract contract, String fingerprint, List<Body> bodies) {
        public Part {
            bodies = List.copyOf(bodies);
        }

        public Part(Contract contract, String fingerprint, List<Body> bodies) {
            this(contract.role(), contract, fingerprint, bodies);
        }

        /** Actions that the role no longer has, beside the contract that it has now. */
        public static Part ofDropped(Contract contract) {
            return new Part(contract.role() + ".dropped", contract, "", List.of());
        }
    }

    /**
     * The bytes of one file; never shown.
     *
     * @param source where the bundle keeps it, below the host's own folder
     */
    public record Body(String path, String source, String text, boolean secret) {
        @Override
        public String toString() {
            return source;
        }
    }
}
