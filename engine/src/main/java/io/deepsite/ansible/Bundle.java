package io.deepsite.ansible;

import io.deepsite.contract.Contract;
import io.deepsite.provider.DeclaredSize;
import io.deepsite.remote.SshTarget;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The contents of a bundle.
 *
 * @param stages in order
 * @param leaves roles to remove from hosts; none in a bundle that is only rendered
 * @param parts one for each role on each host
 * @param vaultKey the key file of its secrets; empty without secrets
 * @param assumed the sizes of hosts that it was made from and nothing measured, by host
 */
public record Bundle(
        String site,
        List<Play> stages,
        List<Play> leaves,
        List<SshTarget> hosts,
        List<Part> parts,
        Optional<Path> vaultKey,
        Map<String, DeclaredSize> assumed) {
    /** Runs every play in order. */
    public static final String PLAYBOOK = "site.yml";

    public static final String CANCELLED = "cancelled";

    /** A file that gets a line with the address of the host for each SSH connection. */
    public static final String CONNECTIONS = "ssh-connections";

    public Bundle {
        stages = List.copyOf(stages);
        leaves = List.copyOf(leaves);
        hosts = List.copyOf(hosts);
        parts = List.copyOf(parts);
        assumed = Map.copyOf(assumed);
    }

    /** Made from what was measured. */
    public Bundle(
            String site,
            List<Play> stages,
            List<Play> leaves,
            List<SshTarget> hosts,
            List<Part> parts,
            Optional<Path> vaultKey) {
        this(site, stages, leaves, hosts, parts, vaultKey, Map.of());
    }

    /**
     * One playbook: one role on some hosts.
     *
     * @param batch hosts at a time; 0 for all
     * @param variables of the play, for the tasks that all roles share
     * @param cancellable ends before its first task if the bundle has the file {@link #CANCELLED}
     */
    public record Play(
            String name,
            String role,
            List<String> hosts,
            int batch,
            Map<String, Object> variables,
            boolean cancellable) {
        public Play {
            hosts = List.copyOf(hosts);
            variables = Map.copyOf(variables);
        }

        public Play(String name, String role, List<String> hosts, int batch) {
            this(name, role, hosts, batch, Map.of(), false);
        }

        /** Path below the bundle; the contracts are searched beside it. */
        public String file() {
            return name + ".yml";
        }
    }

    /**
     * @param name by which the role's tasks find it
     * @param contract as it applies to the host; its file digests are those of the final bytes
     */
    public record Part(String name, Contract contract, String fingerprint, List<Body> bodies) {
        public Part {
            bodies = List.copyOf(bodies);
        }

        public Part(Contract contract, String fingerprint, List<Body> bodies) {
            this(contract.role(), contract, fingerprint, bodies);
        }

        /** The role's removed actions, with its current contract. */
        public static Part ofDropped(Contract contract) {
            return new Part(contract.role() + ".dropped", contract, "", List.of());
        }
    }

    /**
     * The content of one file; never shown.
     *
     * @param source path in the bundle, below the host's own folder
     */
    public record Body(String path, String source, String text, boolean secret) {
        @Override
        public String toString() {
            return source;
        }
    }
}
