package io.deepsite.render;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.contract.Contract;
import io.deepsite.contract.Item;
import io.deepsite.contract.Item.Notify;
import io.deepsite.contract.Item.Phase;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ContractClashTest {
    /** Two items that conflict, or that two roles would keep changing back; at least one pair for each kind of item. */
    static Stream<Arguments> clashing() {
        return Stream.of(
                pair(repository("a", "http://one"), repository("a", "http://two")),
                pair(repository("a", "http://one"), file("/etc/apt/sources.list.d/a.sources")),
                pair(packaged(true, false), packaged(true, true)),
                pair(packaged(true, false), packaged(false, false)),
                pair(
                        new Item.Group("g", Optional.of(1), false, Phase.BEFORE, Notify.NONE),
                        new Item.Group("g", Optional.of(2), false, Phase.BEFORE, Notify.NONE)),
                pair(user("/bin/sh"), user("/bin/bash")),
                pair(directory("0755"), directory("0700")),
                pair(directory("0755"), file("/srv/x")),
                pair(link("/a"), link("/a")),
                pair(link("/a"), file("/srv/x")),
                pair(file("/srv/x"), file("/srv/x")),
                pair(ini("1"), ini("1")),
                pair(ini("1"), ini("2")),
                pair(ini("1"), file("/etc/x.conf")),
                pair(line("same"), line("same")),
                pair(line("own"), file("/etc/x.conf")),
                pair(mount("a:/"), mount("a:/")),
                pair(kernel("1"), kernel("2")),
                pair(service(true), service(false)),
                pair(probe(), probe()));
    }

    /** Items that two roles may share. */
    static Stream<Arguments> agreeing() {
        return Stream.of(
                pair(repository("a", "http://one"), repository("a", "http://one")),
                pair(packaged(true, false), packaged(true, false)),
                pair(user("/bin/sh"), user("/bin/sh")),
                pair(directory("0755"), directory("0755")),
                pair(kernel("1"), kernel("1")),
                pair(service(true), service(true)),
                pair(line("one"), line("other")),
                pair(ini("1"), line("one")),
                pair(directory("0755"), file("/srv/x/y")));
    }

    @ParameterizedTest
    @MethodSource("clashing")
    void twoRolesThatCannotBothHaveTheirWillClashInEitherOrder(Item one, Item other) {
        assertThat(find(one, other)).extracting(Diagnostic::code).containsExactly(Code.CONTRACT_CLASH);
        assertThat(find(other, one)).extracting(Diagnostic::code).containsExactly(Code.CONTRACT_CLASH);
    }

    @ParameterizedTest
    @MethodSource("agreeing")
    void twoRolesMayShareWhatTheyAskAlike(Item one, Item other) {
        assertThat(find(one, other)).isEmpty();
        assertThat(find(other, one)).isEmpty();
    }

    private static List<Diagnostic> find(Item one, Item other) {
        return ContractClash.find(List.of(
                new Contract("first", "head", List.of(one), List.of()),
                new Contract("second", "head", List.of(other), List.of())));
    }

    private static Arguments pair(Item one, Item other) {
        return Arguments.of(one, other);
    }

    private static Item repository(String name, String uri) {
        return new Item.Repository(
                name, List.of(uri), List.of("stable"), List.of("main"), Optional.empty(), Phase.BEFORE, Notify.NONE);
    }

    private static Item packaged(boolean present, boolean held) {
        return new Item.DebianPackage("p", present, held, Phase.BEFORE, Notify.NONE);
    }

    private static Item user(String shell) {
        return new Item.User(
                "u",
                Optional.empty(),
                Optional.empty(),
                List.of(),
                Optional.empty(),
                Optional.of(shell),
                false,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Phase.BEFORE,
                Notify.NONE);
    }

    private static Item directory(String mode) {
        return new Item.Directory("/srv/x", "root", "root", mode, Phase.BEFORE, Notify.NONE);
    }

    private static Item link(String to) {
        return new Item.Link("/srv/x", to, Phase.BEFORE, Notify.NONE);
    }

    private static Item file(String path) {
        return new Item.File(
                path, "root", "root", "0644", "d", List.of(), List.of(), Item.Owner.OURS, Phase.BEFORE, Notify.NONE);
    }

    private static Item ini(String value) {
        return new Item.Ini("/etc/x.conf", "s", "o", List.of(value), false, Phase.BEFORE, Notify.NONE);
    }

    private static Item line(String name) {
        return new Item.Line("/etc/x.conf", name, "text\n", Phase.BEFORE, Notify.NONE);
    }

    private static Item mount(String source) {
        return new Item.Mount("/srv/x", source, "nfs", "ro", Phase.BEFORE, Notify.NONE);
    }

    private static Item kernel(String value) {
        return new Item.Kernel("sysctl", "vm.swappiness", Optional.of(value), Phase.BEFORE, Notify.NONE);
    }

    private static Item service(boolean active) {
        return new Item.Service("s.service", true, active, Phase.AFTER, Notify.NONE);
    }

    private static Item probe() {
        return new Item.Probe("p", List.of("true"), Optional.empty(), 0, Phase.AFTER, Notify.NONE);
    }
}
