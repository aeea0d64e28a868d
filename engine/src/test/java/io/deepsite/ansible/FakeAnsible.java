package io.deepsite.ansible;

import io.deepsite.remote.Executable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes a program in place of ansible-playbook: it reports the plays of a bundle as the callback does, and changes no host. */
public record FakeAnsible(String version, String failing, String message, String each) {
    /** Every play succeeds on every host. */
    public static final FakeAnsible PASSING = new FakeAnsible("2.14.3", "", "", ":");

    /**
     * @param host on which each play fails; * for all
     * @param message of the task that fails
     */
    public FakeAnsible failingOn(String host, String message) {
        return new FakeAnsible(version, host, message, each);
    }

    /** @param command of the shell that each play runs in the program's folder; $play is its name, $all its hosts */
    public FakeAnsible doing(String command) {
        return new FakeAnsible(version, failing, message, command);
    }

    public FakeAnsible withVersion(String other) {
        return new FakeAnsible(other, failing, message, each);
    }

    /** As ansible-playbook in this folder; it appends a line to the file {@code plays} there for each play that it runs. */
    public void write(Path folder) throws IOException {
        Files.createDirectories(folder);
        Executable.write(folder.resolve("ansible-playbook"), """
                #!/bin/sh
                [ "$1" != --version ] || { echo 'ansible-playbook [core VERSION]'; exit 0; }
                folder='FOLDER'
                failed=' '
                for file in $(sed -n 's/.*"import_playbook" : "\\(.*\\)".*/\\1/p' "$1"); do
                    play=${file%.yml}
                    echo '{"event":"play","play":"'"$play"'"}' >>"$DEEPSITE_EVENTS"
                    if grep -q end_play "$file" && [ -e cancelled ]; then continue; fi
                    all=''
                    for host in $(sed -n 's/^  "hosts" : \\[ \\(.*\\) \\],$/\\1/p' "$file" | tr -d '",'); do
                        case $failed in *" $host "*) ;; *) all="$all${all:+ }$host" ;; esac
                    done
                    [ -n "$all" ] || continue
                    echo "$play $(echo "$all" | tr ' ' ,)" >>"$folder/plays"
                    (cd "$folder"; EACH
                    )
                    passed=''
                    for host in $all; do
                        if [ 'FAILING' = '*' ] || [ 'FAILING' = "$host" ]; then
                            failed="$failed$host "
                            echo '{"event":"result","play":"'"$play"'","host":"'"$host"'","status":"failed","task":"Hold the contract","msg":"MESSAGE"}'
                        else
                            passed=yes
                            echo '{"event":"result","play":"'"$play"'","host":"'"$host"'","status":"ok","ends":true}'
                        fi
                    done >>"$DEEPSITE_EVENTS"
                    [ -n "$passed" ] || exit 2
                done
                """.replace("VERSION", version)
                .replace("FOLDER", folder.toString())
                .replace("FAILING", failing)
                .replace("MESSAGE", message)
                .replace("EACH", each.strip()));
    }
}
