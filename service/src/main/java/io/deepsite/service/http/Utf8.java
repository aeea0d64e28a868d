package io.deepsite.service.http;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Text of requests, without a character that nobody sent. */
final class Utf8 {
    private Utf8() {}

    /**
     * All of it.
     *
     * @param name of what is read, at the beginning of a sentence
     * @throws Failure REQUEST if it is not UTF-8
     */
    static String text(InputStream in, String name) throws IOException {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(in.readAllBytes()))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new Failure(Diagnostic.error(Code.REQUEST, name + " is not UTF-8 text.", "Send UTF-8."), e);
        }
    }
}
