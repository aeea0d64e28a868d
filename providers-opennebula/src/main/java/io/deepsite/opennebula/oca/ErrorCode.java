package io.deepsite.opennebula.oca;

import java.util.Arrays;

/** Third part of a refusing reply. Source: OpenNebula, XML-RPC API, "XML-RPC API": table of error codes. */
public enum ErrorCode {
    AUTHENTICATION(0x0100),
    AUTHORIZATION(0x0200),
    NO_EXISTS(0x0400),
    ACTION(0x0800),
    XML_RPC_API(0x1000),
    INTERNAL(0x2000),
    ALLOCATE(0x4000),
    LOCKED(0x8000),
    /** A code of a later release. */
    UNKNOWN(-1);

    private final int number;

    ErrorCode(int number) {
        this.number = number;
    }

    static ErrorCode of(int number) {
        return Arrays.stream(values())
                .filter(code -> code.number == number)
                .findFirst()
                .orElse(UNKNOWN);
    }

    public int number() {
        return number;
    }
}
