package io.deepsite.report;

/** How the page of a report looks: on a screen, narrow or wide, light or dark, and on paper. */
final class PageStyle {
    static final String CSS = """
            * { box-sizing: border-box; }
            body { margin: 0 auto; max-width: 66rem; padding: 1rem; background: var(--paper); color: var(--ink);
              font: 1rem/1.5 system-ui, "Segoe UI", "DejaVu Sans", sans-serif; overflow-wrap: break-word; }
            h1 { font-size: 1.75rem; line-height: 1.2; margin: 0.5rem 0; }
            h2 { font-size: 1.25rem; margin: 2rem 0 0.5rem; padding-top: 0.5rem; border-top: 1px solid var(--edge); }
            .lead { font-size: 1.0625rem; max-width: 46rem; }
            nav { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; }
            a { color: var(--machine); }
            a:focus-visible, .scroll:focus-visible { outline: 3px solid var(--machine); outline-offset: 2px; }
            .scroll { overflow-x: auto; margin: 0.75rem 0; }
            .scroll > svg { display: block; min-width: 36rem; max-width: 100%; height: auto; }
            table { border-collapse: collapse; width: 100%; font-size: 0.875rem; }
            caption { text-align: left; font-weight: 600; padding: 0.25rem 0; }
            th, td { text-align: left; vertical-align: top; padding: 0.3rem 0.75rem 0.3rem 0; border-bottom: 1px solid var(--edge); }
            th { font-weight: 600; } tbody th { font-weight: 500; } td:last-child { min-width: 12rem; }
            .bad { color: var(--red); font-weight: 600; } .good { color: var(--green); }
            .badge { display: inline-block; padding: 0 0.6rem; border-radius: 1rem; font-weight: 600; }
            .badge.done { background: var(--green-fill); color: var(--green); }
            .badge.failed { background: var(--red-fill); color: var(--red); }
            .badge.cut { background: var(--amber-fill); color: var(--amber); }
            footer { margin-top: 2rem; color: var(--soft); font-size: 0.875rem; }
            @media print {
              body { max-width: none; padding: 0; font-size: 10pt; }
              * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
              nav { display: none; } .scroll { overflow: visible; } .scroll > svg { min-width: 0; width: 100%; }
              tr, svg { break-inside: avoid; } h2, caption { break-after: avoid; } thead { display: table-header-group; }
            }
            """;

    private PageStyle() {}
}
