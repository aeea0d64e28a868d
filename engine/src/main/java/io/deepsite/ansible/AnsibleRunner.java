package io.deepsite.ansible;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;

/** Runs the plays of a bundle with one process of Ansible, and tells how each of them ended. */
public record AnsibleRunner(Playbook playbook, ControlNodes nodes) {

    /** Is told of plays in their order, in one thread. */
    public interface Listener {
        void begun(Bundle.Play play);

        /** @param play that the event belongs to */
        void event(Bundle.Play play, AnsibleEvent event);

        /** @param results by host, of every host of the play */
        void ended(Bundle.Play play, Map<String, HostResult> results);
    }

    /**
     * A host that fails in one of the plays takes part in no later one; once all hosts of a play failed, Ansible begins no
     * other.
     *
     * @param plays all of the bundle, in order
     * @throws io.deepsite.diag.Failure as {@link ControlNodes#run}
     */
    public void run(List<Bundle.Play> plays, Listener listener, ControlNodes.Stop stop) {
        var progress = new PlayProgress(plays, listener);
        int exit = nodes.run(playbook, line -> AnsibleEvent.read(line).ifPresent(progress::take), stop);
        progress.over(
                "ansible-playbook ended with exit code " + exit + "; the end of " + playbook.log() + ":\n" + tail());
    }

    private String tail() {
        try {
            var lines = Files.readAllLines(playbook.log());
            return String.join("\n", lines.subList(Math.max(0, lines.size() - 15), lines.size()));
        } catch (IOException e) {
            return "(cannot be read: " + e.getMessage() + ")";
        }
    }
}
