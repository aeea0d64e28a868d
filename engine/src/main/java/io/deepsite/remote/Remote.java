package io.deepsite.remote;

/** Opens connections to hosts. Thread-safe. */
public interface Remote {
    /**
     * @throws io.deepsite.diag.Failure HOST_SILENT, HOST_KEY_WRONG, LOGIN_REFUSED, LOGIN_KEY_UNUSABLE, CONNECTION_BROKEN,
     *     JUMP_FORBIDDEN; nothing was changed on the host
     */
    RemoteHost open(SshTarget target);
}
