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
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * Rewrites class files below version 50 in jars as version 52, with the required stack maps. The JVM verifies such old
 * classes slowly at every start and keeps them and their subclasses out of the AOT cache: with jinjava that is the
 * whole expression language. Nothing else in them changes.
 */
final class LiftClasses {
    /** The AOT cache accepts class files from this version on (JDK 6); older ones have no stack maps. */
    private static final int OLD = 50;

    private static final int LIFTED = ClassFile.JAVA_8_VERSION;

    private LiftClasses() {}

    /** @param jars rewritten in place */
    public static void main(String[] jars) throws IOException {
        for (var jar : jars) {
            lift(Path.of(jar));
        }
    }

    private static void lift(Path jar) throws IOException {
        var next = jar.resolveSibling(jar.getFileName() + ".next");
        int lifted = 0;
        try (var from = new ZipFile(jar.toFile());
                var to = new ZipOutputStream(Files.newOutputStream(next))) {
            var classes = ClassFile.of(
                    ClassFile.ConstantPoolSharingOption.NEW_POOL,
                    ClassFile.ClassHierarchyResolverOption.of(hierarchy(from)));
            for (var entry : Collections.list(from.entries())) {
                var bytes = from.getInputStream(entry).readAllBytes();
                boolean old = entry.getName().endsWith(".class") && version(bytes) < OLD;
                write(to, entry, old ? lifted(classes, entry.getName(), bytes) : bytes);
                lifted += old ? 1 : 0;
            }
        }
        if (lifted > 0) {
            Files.move(next, jar, StandardCopyOption.REPLACE_EXISTING);
            System.out.println(jar.getFileName() + ": " + lifted + " classes of old versions are of version " + LIFTED);
        } else {
            Files.delete(next);
        }
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
