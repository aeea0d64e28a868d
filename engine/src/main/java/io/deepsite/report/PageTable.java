package io.deepsite.report;

import io.deepsite.text.Markup;
import java.util.ArrayList;
import java.util.List;

/** A table of the page; without rows it is left out. The first cell of a row is its heading. */
final class PageTable {
    private final Markup page;
    private final String caption;
    private final List<String> heads;
    private final List<List<String>> rows = new ArrayList<>();

    PageTable(Markup page, String caption, String... heads) {
        this.page = page;
        this.caption = caption;
        this.heads = List.of(heads);
    }

    void row(String... cells) {
        row(List.of(cells));
    }

    void row(List<String> cells) {
        if (cells.size() != heads.size()) {
            throw new IllegalArgumentException(caption + " has " + heads.size() + " columns");
        }
        rows.add(List.copyOf(cells));
    }

    /** A column in which no row has anything is left out. */
    void end() {
        if (rows.isEmpty()) {
            return;
        }
        page.open("div", "class", "scroll", "tabindex", "0", "role", "region", "aria-label", "Table: " + caption);
        page.open("table").line().element("caption", caption).line();
        if (heads.stream().anyMatch(head -> !head.isEmpty())) {
            page.open("thead").open("tr");
            for (int column = 0; column < heads.size(); column++) {
                if (isUsed(column)) {
                    page.element("th", heads.get(column), "scope", "col");
                }
            }
            page.close().closeLine();
        }
        page.open("tbody").line();
        for (var row : rows) {
            page.open("tr");
            for (int column = 0; column < row.size(); column++) {
                if (isUsed(column)) {
                    cell(row.get(column), column);
                }
            }
            page.closeLine();
        }
        page.close().close().closeLine();
    }

    private void cell(String text, int column) {
        if (column == 0) {
            page.element("th", text, "scope", "row");
        } else if (isVerdict(text)) {
            page.element("td", text, "class", text.equals("failed") ? "bad" : "good");
        } else {
            page.element("td", text);
        }
    }

    private static boolean isVerdict(String text) {
        return text.equals("failed") || text.equals("passed") || text.equals("done");
    }

    private boolean isUsed(int column) {
        return rows.stream().anyMatch(row -> !row.get(column).isEmpty());
    }
}
