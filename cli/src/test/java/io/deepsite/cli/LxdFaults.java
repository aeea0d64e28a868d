package io.deepsite.cli;

import java.util.List;

/** LXD is down, refuses, or has conflicting objects. */
final class LxdFaults {
    private static final String GONE_HALFWAY = "PUT /1.0/instances/lab-box/state";

    private LxdFaults() {}

    static List<FaultCase> cases() {
        return List.of(
                new FaultCase("lxd/DS2001-not-running", story -> {
                    story.lxd.stop();
                    story.fails(6, "apply", "site.yaml", "--yes")
                            .then("LXD is started", story.lxd::start)
                            .goesOn();
                }),
                new FaultCase("lxd/DS2001-stops-during-apply", story -> {
                    story.lxd.meanwhile(GONE_HALFWAY, story.lxd::stop);
                    story.fails(1, "apply", "site.yaml", "--yes")
                            .then("LXD is started", story.lxd::start)
                            .goesOn();
                }),
                new FaultCase("lxd/DS2002-refuses-to-create", story -> {
                    story.lxd.refuse("POST /1.0/instances", 400, "Invalid config: Unknown configuration key");
                    story.fails(1, "apply", "site.yaml", "--yes").goesOn();
                }),
                new FaultCase("lxd/DS2002-refuses-to-start", story -> {
                    story.lxd.failLater(GONE_HALFWAY, "Failed to run: forkstart lab-box: exit status 1");
                    story.fails(1, "apply", "site.yaml", "--yes").goesOn();
                }),
                new FaultCase("lxd/DS2003-name-taken", story -> {
                    story.lxd.add("instances/lab-box", "{'name':'lab-box','status':'Running','config':{}}");
                    story.fails(2, "apply", "site.yaml", "--yes")
                            .then("its owner removes it", () -> story.lxd.things.remove("instances/lab-box"))
                            .goesOn();
                }),
                new FaultCase("lxd/DS2003-name-taken-during-apply", story -> {
                    story.lxd.meanwhile(
                            "POST /1.0/instances",
                            () -> story.lxd.add(
                                    "instances/lab-box", "{'name':'lab-box','status':'Running','config':{}}"));
                    story.fails(1, "apply", "site.yaml", "--yes")
                            .then("its owner removes it", () -> story.lxd.things.remove("instances/lab-box"))
                            .goesOn();
                }),
                new FaultCase("lxd/DS2102-not-trusted", story -> {
                    story.lxd.mistrust(true);
                    story.fails(6, "apply", "site.yaml", "--yes")
                            .then("LXD trusts the certificate", () -> story.lxd.mistrust(false))
                            .goesOn();
                }),
                new FaultCase("lxd/DS2104-certificate-missing", story -> {
                    story.edit(
                            "site.yaml",
                            "\"unix://" + story.lxd.socket() + "\"",
                            "\"https://192.0.2.1:8443\", certificate: client.crt, key: client.key,"
                                    + " serverCertificate: server.crt");
                    story.fails(2, "apply", "site.yaml", "--yes")
                            .then("the socket is used instead", () -> story.site(""))
                            .goesOn();
                }),
                new FaultCase("lxd/DS2105-pool-of-driver-dir", story -> {
                    story.lxd.things.get("storage-pools/nova").put("driver", "dir");
                    story.fails(2, "apply", "site.yaml", "--yes")
                            .then(
                                    "site.yaml names a pool that deepsite makes",
                                    () -> story.edit("site.yaml", "name: nova", "name: fast"))
                            .goesOn();
                }),
                new FaultCase("lxd/DS2106-pool-not-ready", story -> {
                    story.lxd.things.get("storage-pools/nova").put("status", "Unavailable");
                    story.fails(2, "apply", "site.yaml", "--yes")
                            .then(
                                    "the pool is repaired",
                                    () -> story.lxd
                                            .things
                                            .get("storage-pools/nova")
                                            .put("status", "Created"))
                            .goesOn();
                }),
                new FaultCase("lxd/DS2107-pool-full", story -> {
                    story.lxd.failLater(
                            "POST /1.0/instances",
                            "Failed creating instance from image: Failed to write the image: no space left on device");
                    story.fails(1, "apply", "site.yaml", "--yes")
                            .then("space is freed", () -> {})
                            .goesOn();
                }),
                new FaultCase("lxd/DS2108-network-not-managed", story -> {
                    story.lxd.things.get("networks/lxdbr0").put("managed", false);
                    story.fails(2, "apply", "site.yaml", "--yes")
                            .then(
                                    "LXD manages the bridge",
                                    () -> story.lxd
                                            .things
                                            .get("networks/lxdbr0")
                                            .put("managed", true))
                            .goesOn();
                }),
                new FaultCase("lxd/DS2109-no-free-address", story -> {
                    story.lxd.add("networks/lxdbr0", """
                            {'name':'lxdbr0','type':'bridge','managed':true,'status':'Created',
                             'config':{'ipv4.address':'%s.1/30'}}""".formatted(story.net));
                    story.siteOf("machines:\n  box: {image: debian/12, count: 3, cpus: 1, memory: 1GiB}\n")
                            .fails(2, "apply", "site.yaml", "--yes")
                            .then("the site is made smaller", () -> story.site(""))
                            .goesOn();
                }),
                new FaultCase("lxd/DS2110-image-missing", story -> {
                    var image = story.lxd.things.remove("images/f00d");
                    story.fails(2, "apply", "site.yaml", "--yes")
                            .then("the image is built", () -> story.lxd.things.put("images/f00d", image))
                            .goesOn();
                }),
                new FaultCase("lxd/DS2004-image-moved", story -> {
                    story.does("apply", "site.yaml", "--yes").then("the image is built again", () -> {
                        story.lxd.add("images/f00d", "{'fingerprint':'f00d','size':1,'properties':{},'aliases':[]}");
                        story.lxd.add(
                                "images/beef",
                                "{'fingerprint':'beef','size':1,'properties':{},'aliases':[{'name':'debian/12'}]}");
                    });
                    story.fails(0, "plan", "site.yaml").goesOn();
                }),
                new FaultCase("lxd/DS1273-plan", story -> {
                    story.siteOf("""
                            machines:
                              box: {image: debian/12, cpus: 1, memory: 16GiB}
                            clusters:
                              cloud:
                                kind: openstack
                                method: devstack
                                release: stein
                                compute: [box]
                                smallHosts: true
                                sources: {devstackCommit: 0123456789abcdef0123456789abcdef01234567}
                            """).fails(0, "plan", "site.yaml");
                }),
                new FaultCase("lxd/DS2111-no-recipe", story -> {
                    // Only this story reads it; for the others it is the default.
                    System.setProperty("deepsite.home", "..");
                    try {
                        story.fails(1, "image", "build", "plan9/4", "--endpoint", "unix://" + story.lxd.socket());
                    } finally {
                        System.clearProperty("deepsite.home");
                    }
                }),
                new FaultCase("lxd/DS2112-no-such-card", story -> {
                    story.siteOf(
                            "machines:\n  box: {image: debian/12, cpus: 1, memory: 1GiB, gpus: [{vendor: nvidia}]}\n");
                    story.fails(2, "apply", "site.yaml", "--yes")
                            .then("a card is put in", () -> story.lxd.cards(CARD))
                            .goesOn();
                }),
                new FaultCase("lxd/DS2113-card-vanished", story -> {
                    story.lxd.cards(CARD);
                    story.siteOf(
                            "machines:\n  box: {image: debian/12, cpus: 1, memory: 1GiB, gpus: [{vendor: nvidia}]}\n");
                    story.lxd.failLater(
                            GONE_HALFWAY, "Failed to start device \"gpu0\": Failed to detect requested GPU device");
                    story.fails(1, "apply", "site.yaml", "--yes")
                            .then("the card is back", () -> {})
                            .goesOn();
                }),
                new FaultCase("lxd/DS2116-module-missing", story -> {
                    story.lxd.failLater(GONE_HALFWAY, "Failed to load kernel module 'overlay': exit status 1");
                    story.fails(1, "apply", "site.yaml", "--yes")
                            .then("the module is loaded on the host", () -> {})
                            .goesOn();
                }),
                new FaultCase("lxd/DS2118-no-such-project", story -> {
                    story.edit("site.yaml", "network: lxdbr0", "network: lxdbr0, project: lab");
                    story.fails(2, "apply", "site.yaml", "--yes")
                            .then(
                                    "the project is made",
                                    () -> story.lxd.add(
                                            "projects/lab", "{'name':'lab','config':{'features.images':'false'}}"))
                            .goesOn();
                }),
                new FaultCase(
                        "lxd/DS2124-no-server-for-an-image",
                        story -> story.fails(1, "image", "pull", "alpine/3.19", "--site", "site.yaml")),
                new FaultCase("lxd/DS2124-server-silent", story -> {
                    story.edit(
                            "site.yaml",
                            "network: lxdbr0",
                            "network: lxdbr0, images: {alpine/3.19: {server: \"https://images.example\", alias: alpine/3.19}}");
                    story.lxd.refuse(
                            "POST /1.0/images",
                            500,
                            "Get \"https://images.example/streams/v1/index.json\": dial tcp 192.0.2.7:443: connection"
                                    + " refused");
                    story.fails(1, "image", "pull", "alpine/3.19", "--site", "site.yaml");
                }),
                new FaultCase("plan/DS4004-changed-in-the-same-moment", story -> {
                    story.does("apply", "site.yaml", "--yes").edit("site.yaml", "memory: 1GiB", "memory: 2GiB");
                    story.lxd.refuse("PUT /1.0/instances/lab-box", 412, "ETag doesn't match: e vs f");
                    story.fails(1, "apply", "site.yaml", "--yes").goesOn();
                }),
                new FaultCase("lxd/half-made-while-lxd-works-on", story -> {
                    story.lxd.failLater("PUT /1.0/instances/lab-box/state", "Failed to start");
                    story.fails(1, "apply", "site.yaml", "--yes")
                            .does("plan", "site.yaml", "-o", "plan.json")
                            .then(
                                    "LXD works on at what a killed run asked for",
                                    () -> story.lxd
                                            .things
                                            .get("instances/lab-box")
                                            .put("status", "Running"))
                            .goesOn("apply", "site.yaml", "--plan", "plan.json");
                }),
                new FaultCase("lxd/half-made-and-then-gone", story -> {
                    story.lxd.failLater("PUT /1.0/instances/lab-box/state", "Failed to start");
                    story.fails(1, "apply", "site.yaml", "--yes")
                            .does("plan", "site.yaml", "-o", "plan.json")
                            .then(
                                    "LXD takes back what it could not end",
                                    () -> story.lxd.things.remove("instances/lab-box"))
                            .goesOn("apply", "site.yaml", "--plan", "plan.json");
                }));
    }

    private static final String CARD = """
            [{'driver':'nvidia','drm':{'id':0,'card_name':'card0'},'nvidia':{'model':'Tesla K20m'},
              'pci_address':'0000:3b:00.0','vendor':'NVIDIA Corporation','vendor_id':'10de',
              'product':'GK110GL [Tesla K20m]','product_id':'1028'}]""";
}
