package io.deepsite.cluster.openstack;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.cluster.OneRole;
import io.deepsite.contract.Item;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Loads the GPU driver from the rendered files, with the path of the unit's drop-in, as Nova does. Nova's loader is a stand-in of
 * nova/virt/driver.py, load_compute_driver, of nova e91540f (Stein; Queens, Rocky and Zed have the same lines): it imports
 * {@code nova.virt.<name>} and ends with status 1 if there is no such module. The lane gpu calls Debian's own.
 */
class NovaDriverTest {
    private static final String LIBRARY = "/usr/local/lib/deepsite/lxd";

    @TempDir
    private Path folder;

    private Map<String, String> files = Map.of();

    @BeforeEach
    void aHostWithCards() throws IOException {
        files = rendered();
        for (var file : files.entrySet()) {
            write("host" + file.getKey(), file.getValue());
        }
        write("nova/nova/__init__.py", "");
        write("nova/nova/exception.py", "");
        write("nova/nova/virt/__init__.py", "");
        write("nova/nova/virt/driver.py", """
                import importlib, sys

                def load_compute_driver(virtapi, compute_driver):
                    module, _, name = ("nova.virt.%s" % compute_driver).rpartition(".")
                    try:
                        return getattr(importlib.import_module(module), name)(virtapi)
                    except ImportError as wrong:
                        print(wrong, file=sys.stderr)
                        sys.exit(1)
                """);
        write("nova/nova/virt/lxd/__init__.py", """
                class LXDDriver:
                    def __init__(self, virtapi): pass
                """);
        write("nova/nova/virt/lxd/flavor.py", "_CONFIG_FILTER_MAP, _DEVICE_FILTER_MAP = [], []\n");
        write("nova/oslo_concurrency/__init__.py", "");
        write("nova/oslo_concurrency/lockutils.py", "");
    }

    @Test
    void novaLoadsTheDriverThatItsOptionsName() throws Exception {
        assertThat(python("""
                from nova.virt import driver
                from nova.virt.lxd import flavor
                loaded = driver.load_compute_driver(None, "%s")
                print(type(loaded).__module__, type(loaded).__mro__[1].__module__, len(flavor._DEVICE_FILTER_MAP))
                """.formatted(OpenStackKind.DRIVER_WITH_GPUS)))
                .isEqualTo("nova.virt.deepsite_nova_lxd nova.virt.lxd 2\n");
    }

    @Test
    void otherDriversAreFoundOrNotAsBefore() throws Exception {
        assertThat(python("""
                from nova.virt import driver
                print(type(driver.load_compute_driver(None, "lxd.LXDDriver")).__module__)
                driver.load_compute_driver(None, "nova_lxd.nova.virt.lxd.LXDDriver")
                """)).isEqualTo("nova.virt.lxd\nNo module named 'nova.virt.nova_lxd'\n");
    }

    /** Python runs only the first module of this name on its path; Debian's and Ubuntu's report crashes. */
    @Test
    void theDistributionsOwnStartOfPythonRunsToo() throws Exception {
        write("nova/sitecustomize.py", "print('of the distribution')\n");

        assertThat(python("import sitecustomize; print(sitecustomize.Finder.__name__)"))
                .isEqualTo("of the distribution\nFinder\n");
    }

    private static Map<String, String> rendered() {
        var rendered = OneRole.of(
                OpenStackSite.allInOne(), LxdHostSite.machinesWithCards().subList(0, 1), "lxd_gpus", "metal");
        var files = new TreeMap<String, String>();
        for (var item : rendered.contract().items()) {
            if (item instanceof Item.File file) {
                files.put(file.path(), Objects.requireNonNull(rendered.texts().get(file.body())));
            }
        }
        return files;
    }

    private void write(String path, String text) throws IOException {
        var file = folder.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private String python(String program) throws Exception {
        var dropIn = Objects.requireNonNull(
                files.get("/etc/systemd/system/nova-compute.service.d/deepsite-gpus.conf"), "drop-in");
        assertThat(dropIn).contains("\nEnvironment=PYTHONPATH=" + LIBRARY + "\n");
        var builder = new ProcessBuilder("/usr/bin/python3", "-c", program).redirectErrorStream(true);
        builder.environment().put("PYTHONPATH", folder + "/host" + LIBRARY + ":" + folder + "/nova");
        builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");
        var process = builder.start();
        var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return said;
    }
}
