package io.deepsite.cli;

import io.deepsite.cli.view.FindingsView;
import io.deepsite.diag.ExitCode;
import io.deepsite.operations.Doctor;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code deepsite doctor}: checks that everything deepsite needs is there. */
@Command(
        name = "doctor",
        description = {
            "Check that everything deepsite needs is there.",
            "Checks the back-end, images, Ansible, OpenSSH, keys and leases. Changes nothing. Ends with exit code 1 if something is missing that every site needs."
        },
        footer = {"  deepsite doctor", "  deepsite doctor --site lab/site.yaml"})
final class DoctorCommand extends DeepsiteCommand {
    @Mixin
    private BackEndOptions backEnd = new BackEndOptions();

    DoctorCommand(CommandContext at) {
        super(at);
    }

    @Override
    protected int run() {
        var findings = new Doctor(at.environment(), at.userHome())
                .examine(() -> backEnd.open(at)).stream()
                        .map(finding -> new Doctor.Finding(
                                finding.subject(), finding.verdict(), finding.detail(), at.typeable(finding.fix())))
                        .toList();
        if (json) {
            printJson(findings);
        } else {
            print(new FindingsView(style()).text(findings));
        }
        boolean bad = findings.stream().anyMatch(finding -> finding.verdict() == Doctor.Verdict.BAD);
        return (bad ? ExitCode.FAILED : ExitCode.DONE).number();
    }
}
