import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFileVersion;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeTransform;
import java.lang.constant.ClassDesc;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collections;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * Makes jars fit for the AOT cache, which keeps neither of these out of the start:
 *
 * <ul>
 *   <li>Class files below version 50 become version 52, with the required stack maps. The JVM verifies such old classes
 *       slowly at every start and keeps them and their subclasses out of the cache: with jinjava that is the whole
 *       expression language.
 *   <li>Signatures are removed. The JVM keeps classes of signed jars out of the cache, and the first one that it loads
 *       costs a check of a manifest that has a digest for each of Bouncy Castle's files. Nothing
 *       asks for the signature: the jars lie beside unsigned ones.
 * </ul>
 *
 * Nothing else in them changes.
 */
final class PrepareJars {
    /** The AOT cache accepts class files from this version on (JDK 6); older ones have no stack maps. */
    private static final int OLD = 50;

    private static final int LIFTED = ClassFile.JAVA_8_VERSION;

    /** What the JAR file specification, "Signed JAR File", lists. */
    private static final Pattern SIGNATURE = Pattern.compile("META-INF/(SIG-[^/]*|[^/]*\\.(SF|RSA|DSA|EC))");

    private PrepareJars() {}

    /** @param jars rewritten in place */
    public static void main(String[] jars) throws IOException {
        for (var jar : jars) {
            prepare(Path.of(jar));
        }
    }

    private static void prepare(Path jar) throws IOException {
        var next = jar.resolveSibling(jar.getFileName() + ".next");
        int lifted = 0;
        boolean signed = false;
        try (var from = new ZipFile(jar.toFile())) {
            var entries = Collections.list(from.entries());
            signed = entries.stream().anyMatch(entry -> isSignature(entry.getName()));
            var classes = ClassFile.of(
                    ClassFile.ConstantPoolSharingOption.NEW_POOL,
                    ClassFile.ClassHierarchyResolverOption.of(hierarchy(from)));
            try (var to = new ZipOutputStream(Files.newOutputStream(next))) {
                for (var entry : entries) {
                    var bytes = from.getInputStream(entry).readAllBytes();
                    if (entry.getName().endsWith(".class") && version(bytes) < OLD) {
                        write(to, entry, lifted(classes, entry.getName(), bytes));
                        lifted++;
                    } else if (signed && entry.getName().equals(JarFile.MANIFEST_NAME)) {
                        write(to, entry, withoutDigests(bytes));
                    } else if (!isSignature(entry.getName())) {
                        write(to, entry, bytes);
                    }
                }
            }
        }
        if (lifted == 0 && !signed) {
            Files.delete(next);
            return;
        }
        Files.move(next, jar, StandardCopyOption.REPLACE_EXISTING);
        if (lifted > 0) {
            System.out.println(jar.getFileName() + ": " + lifted + " classes of old versions are of version " + LIFTED);
        }
        if (signed) {
            System.out.println(jar.getFileName() + ": its signature is removed");
        }
    }

    private static boolean isSignature(String entry) {
        return SIGNATURE.matcher(entry).matches();
    }

    /** Its main attributes: the sections of the entries hold digests. */
    private static byte[] withoutDigests(byte[] manifest) throws IOException {
        var all = new Manifest(new ByteArrayInputStream(manifest));
        all.getEntries().clear();
        var bytes = new ByteArrayOutputStream();
        all.write(bytes);
        return bytes.toByteArray();
    }

    private static int version(byte[] bytes) {
        return (bytes[6] & 0xff) << 8 | bytes[7] & 0xff;
    }

    private static byte[] lifted(ClassFile classes, String name, byte[] bytes) {
        var versioned = ClassTransform.ofStateful(() -> (builder, element) -> {
            if (element instanceof ClassFileVersion) {
                builder.withVersion(LIFTED, 0);
            } else {
                builder.with(element);
            }
        });
        // Only rewritten code gets stack maps.
        var lifted = classes.transformClass(
                classes.parse(bytes), versioned.andThen(ClassTransform.transformingMethodBodies(CodeTransform.ACCEPT_ALL)));
        var errors = classes.verify(lifted);
        if (!errors.isEmpty()) {
            throw new IllegalStateException(name + ": " + errors);
        }
        return lifted;
    }

    private static ClassHierarchyResolver hierarchy(ZipFile jar) {
        return ClassHierarchyResolver.ofResourceParsing((ClassDesc type) -> {
                    var descriptor = type.descriptorString();
                    var entry = jar.getEntry(descriptor.substring(1, descriptor.length() - 1) + ".class");
                    try {
                        return entry == null ? null : jar.getInputStream(entry);
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                })
                .orElse(ClassHierarchyResolver.defaultResolver());
    }

    private static void write(ZipOutputStream to, ZipEntry from, byte[] bytes) throws IOException {
        var entry = new ZipEntry(from.getName());
        entry.setTime(from.getTime());
        to.putNextEntry(entry);
        to.write(bytes);
        to.closeEntry();
    }
}
