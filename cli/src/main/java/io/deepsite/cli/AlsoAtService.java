package io.deepsite.cli;

/** A command that does for a site of a service what it does for a site.yaml here. */
interface AlsoAtService {
    /**
     * @param service its address, as the user wrote it
     * @return the exit code
     */
    int runAt(String service);
}
