package io.deepsite.text;

/**
 * The colours of pictures, by what they mean: blue for machines, teal for networks, green for GPUs and what is done, violet,
 * orange and pink for clusters, amber for proof and what is not finished, red for failures. On light and on dark paper each
 * text has a contrast of at least 4.5 to 1 with its ground.
 */
public final class Palette {
    /** Clusters beyond this number have the colours of the first ones again. */
    public static final int CLUSTERS = 3;

    private static final String LIGHT = """
            --ink: #1f2328; --soft: #59636e; --paper: #ffffff; --panel: #f6f8fa; --edge: #d1d9e0;
            --machine: #0550ae; --machine-fill: #e7f3ff; --network: #0b6a70; --network-fill: #dff5f4;
            --green: #116329; --green-fill: #dafbe1; --amber: #7d4e00; --amber-fill: #fff8c5;
            --red: #a40e26; --red-fill: #ffebe9; --cluster0: #6639ba; --cluster0-fill: #f7f0ff;
            --cluster1: #953800; --cluster1-fill: #fff1e5; --cluster2: #99286e; --cluster2-fill: #ffeff7;
            """;

    private static final String DARK = """
            --ink: #e6edf3; --soft: #9ea7b3; --paper: #0d1117; --panel: #151b23; --edge: #3d444d;
            --machine: #79c0ff; --machine-fill: #10243e; --network: #56d4dd; --network-fill: #0d2b30;
            --green: #56d364; --green-fill: #0f2a18; --amber: #e3b341; --amber-fill: #2e2410;
            --red: #ff7b72; --red-fill: #3a171a; --cluster0: #d2a8ff; --cluster0-fill: #221a35;
            --cluster1: #ffa657; --cluster1-fill: #2f1e0e; --cluster2: #f778ba; --cluster2-fill: #321527;
            """;

    /** For a picture, or for the page around it. */
    public static final String CSS = """
            :root {
            %s}
            @media screen and (prefers-color-scheme: dark) {
            :root {
            %s}
            }
            svg { font-family: system-ui, "Segoe UI", "DejaVu Sans", sans-serif; }
            svg .ink { fill: var(--ink); } svg .soft { fill: var(--soft); } svg .bold { font-weight: 600; }
            svg .paper { fill: var(--paper); } svg .panel { fill: var(--panel); stroke: var(--edge); }
            svg .machine { fill: var(--machine-fill); stroke: var(--machine); } svg .of-machine { fill: var(--machine); }
            svg .network { fill: var(--network-fill); stroke: var(--network); } svg .of-network { fill: var(--network); }
            svg .cable { stroke: var(--network); stroke-width: 2; }
            svg .gpu { fill: var(--green-fill); stroke: var(--green); } svg .of-gpu { fill: var(--green); }
            svg .proof { fill: var(--amber-fill); stroke: var(--amber); } svg .of-proof { fill: var(--amber); }
            svg .cluster0 { fill: var(--cluster0-fill); stroke: var(--cluster0); } svg .of-cluster0 { fill: var(--cluster0); }
            svg .cluster1 { fill: var(--cluster1-fill); stroke: var(--cluster1); } svg .of-cluster1 { fill: var(--cluster1); }
            svg .cluster2 { fill: var(--cluster2-fill); stroke: var(--cluster2); } svg .of-cluster2 { fill: var(--cluster2); }
            svg .same { fill: none; stroke: var(--soft); } svg .every { fill: none; stroke: var(--ink); stroke-width: 2.5; }
            svg .head { fill: var(--ink); stroke: none; } svg .grid { stroke: var(--edge); }
            svg .made { fill: var(--machine); } svg .configured { fill: var(--cluster0); }
            svg .failed { fill: var(--red); } svg .untried { fill: var(--soft); } svg .cut { fill: var(--amber); }
            svg .band { opacity: 0.35; }
            """.formatted(LIGHT, DARK);

    private Palette() {}

    /** @param index of the cluster in the site; negative for none */
    public static String cluster(int index) {
        return index < 0 ? "panel" : "cluster" + index % CLUSTERS;
    }

    /** The class of a text on {@link #cluster}. */
    public static String ofCluster(int index) {
        return index < 0 ? "soft" : "of-cluster" + index % CLUSTERS;
    }
}
