package io.deepsite.diag;

/**
 * Every diagnostic deepsite can give: its number never changes meaning, its summary holds no user data, so that people
 * learn to recognise it. Ranges: 10xx reading YAML, 11xx values, 12xx the meaning of a site, 20xx providers, 21xx LXD,
 * 22xx static hosts, 30xx hosts and SSH, 31xx Ansible, 40xx plan, 41xx state and lock, 42xx secrets, 50xx templates and
 * contracts, 60xx verify, 70xx lease, 90xx internal.
 */
public enum Code {
    // 20xx providers
    PROVIDER_UNREACHABLE(2001, "the provider does not answer", ExitCode.PROVIDER_UNREACHABLE),
    PROVIDER_REFUSED(2002, "the provider refused a call", ExitCode.FAILED),
    NAME_TAKEN(2003, "the name exists and is not ours", ExitCode.INVALID_INPUT),

    // 90xx internal
    INTERNAL(9001, "this is a bug in deepsite", ExitCode.INTERNAL);

    private final int number;
    private final String summary;
    private final ExitCode exit;

    Code(int number, String summary, ExitCode exit) {
        this.number = number;
        this.summary = summary;
        this.exit = exit;
    }

    /** Four digits after {@code DS}. */
    public String id() {
        return "DS" + number;
    }

    public String summary() {
        return summary;
    }

    public ExitCode exit() {
        return exit;
    }
}
