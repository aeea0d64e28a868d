package io.deepsite.service.http;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import java.io.EOFException;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletionException;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.MultiPart;
import org.eclipse.jetty.http.MultiPartConfig;
import org.eclipse.jetty.http.MultiPartFormData;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;

/** A form with files, in memory: nothing of it is written to this machine. */
final class MultipartForm {
    static final String TYPE = "multipart/form-data";
    /** A file, or a text area; the whole request has a limit of its own. */
    private static final int LARGEST_KIB = 256;

    private static final int MOST_PARTS = 16;
    private static final MultiPartConfig CONFIG = new MultiPartConfig.Builder()
            .maxParts(MOST_PARTS)
            .maxPartSize(LARGEST_KIB * 1024L)
            .maxMemoryPartSize(LARGEST_KIB * 1024L)
            .useFilesForPartsWithoutFileName(false)
            .build();

    private MultipartForm() {}

    /**
     * The fields; that of a chosen file holds its text, that without one is not there.
     *
     * @throws Failure REQUEST
     */
    static Map<String, String> read(Request request) throws IOException {
        var values = new HashMap<String, String>();
        var type = request.getHeaders().get(HttpHeader.CONTENT_TYPE);
        try (var parts = parts(request, type)) {
            for (var part : parts) {
                if (isFile(part)) {
                    if (!part.getFileName().isEmpty() && values.put(part.getName(), text(part)) != null) {
                        throw refused("Several files came for " + part.getName() + ".", "Choose one.");
                    }
                } else {
                    values.put(part.getName(), text(part));
                }
            }
        }
        return values;
    }

    private static MultiPartFormData.Parts parts(Request request, String type) throws IOException {
        try {
            return MultiPartFormData.getParts(request, request, type, CONFIG);
        } catch (CompletionException | IllegalArgumentException e) {
            var cause = e instanceof CompletionException && e.getCause() != null ? e.getCause() : e;
            // A body that ends too early, while its client is there.
            boolean isCut = cause.getClass() == EOFException.class;
            if (cause instanceof IOException broken && !isCut) {
                throw broken;
            }
            throw refused(
                    cause instanceof IllegalStateException
                            ? "A file or a field of the form is larger than " + LARGEST_KIB
                                    + " KiB, or it has more than " + MOST_PARTS + " of them."
                            : "The body of the request is not the form that its Content-Type says.",
                    cause instanceof IllegalStateException ? "Send less." : "Send a form.");
        }
    }

    private static boolean isFile(MultiPart.Part part) {
        return part.getFileName() != null;
    }

    private static String text(MultiPart.Part part) throws IOException {
        try (var in = Content.Source.asInputStream(part.getContentSource())) {
            return Utf8.text(in, isFile(part) ? "The file " + part.getFileName() : "The field " + part.getName());
        }
    }

    private static Failure refused(String why, String fix) {
        return new Failure(Diagnostic.error(Code.REQUEST, why, fix));
    }
}
