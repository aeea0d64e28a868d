package io.deepsite.ansible;

import io.deepsite.contract.Action;
import io.deepsite.contract.Item;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** A contract in the format that the module on the host reads: docs/adr/0002-contracts.md. */
final class HostContract {
    private HostContract() {}

    static Map<String, Object> of(Bundle.Part part) {
        var json = new LinkedHashMap<String, Object>();
        json.put("role", part.contract().role());
        json.put("host", part.contract().host());
        json.put("fingerprint", part.fingerprint());
        json.put(
                "items",
                part.contract().items().stream().map(item -> item(item, part)).toList());
        json.put(
                "actions",
                part.contract().actions().stream().map(HostContract::action).toList());
        return json;
    }

    private static Map<String, Object> item(Item item, Bundle.Part part) {
        var json = new LinkedHashMap<String, Object>();
        json.put("id", item.id());
        json.put("type", item.type().name().toLowerCase(Locale.ROOT));
        json.put("phase", item.phase().name().toLowerCase(Locale.ROOT));
        switch (item) {
            case Item.Repository repository -> {
                json.put("name", repository.name());
                json.put("uris", repository.uris());
                json.put("suites", repository.suites());
                json.put("components", repository.components());
                put(json, "signed_by", repository.signedBy());
            }
            case Item.DebianPackage wanted -> {
                json.put("name", wanted.name());
                json.put("state", wanted.present() ? "present" : "absent");
                json.put("held", wanted.held());
            }
            case Item.Group group -> {
                json.put("name", group.name());
                put(json, "gid", group.gid());
                json.put("system", group.system());
            }
            case Item.User user -> user(json, user);
            case Item.Directory directory -> {
                json.put("path", directory.path());
                owner(json, directory.owner(), directory.group(), directory.mode());
            }
            case Item.Link link -> {
                json.put("path", link.path());
                json.put("to", link.to());
            }
            case Item.File file -> file(json, file, part);
            case Item.Ini ini -> {
                json.put("path", ini.path());
                json.put("section", ini.section());
                json.put("option", ini.option());
                if (ini.absent()) {
                    json.put("absent", true);
                } else {
                    json.put("values", ini.values());
                }
            }
            case Item.Line line -> {
                json.put("path", line.path());
                json.put("block", line.block());
            }
            case Item.Mount mount -> {
                json.put("path", mount.path());
                json.put("source", mount.source());
                json.put("fstype", mount.fstype());
                json.put("options", mount.options());
            }
            case Item.Kernel kernel -> {
                json.put("what", kernel.what());
                json.put("name", kernel.name());
                put(json, "value", kernel.value());
            }
            case Item.Service service -> {
                json.put("unit", service.unit());
                json.put("enabled", service.enabled());
                json.put("active", service.active());
            }
            case Item.Probe probe -> {
                json.put("name", probe.name());
                json.put("run", probe.run());
                put(json, "expect", probe.expect());
                json.put("expect_rc", probe.expectRc());
            }
        }
        json.put("restarts", item.wake().restarts());
        json.put("reloads", item.wake().reloads());
        return json;
    }

    private static void user(Map<String, Object> json, Item.User user) {
        json.put("name", user.name());
        put(json, "uid", user.uid());
        put(json, "group", user.group());
        json.put("groups", user.groups());
        put(json, "home", user.home());
        put(json, "shell", user.shell());
        json.put("system", user.system());
        put(json, "comment", user.comment());
        put(json, "authorized_keys", user.authorizedKeys());
        put(json, "locked", user.locked());
    }

    private static void file(Map<String, Object> json, Item.File file, Bundle.Part part) {
        json.put("path", file.path());
        owner(json, file.owner(), file.group(), file.mode());
        json.put("class", file.ownership().name().toLowerCase(Locale.ROOT));
        json.put("secret", file.secret());
        if (!file.secret()) {
            json.put("sha256", file.body());
        }
        part.bodies().stream()
                .filter(body -> body.path().equals(file.path()))
                .findFirst()
                .ifPresent(body -> json.put("source", body.source()));
    }

    private static void owner(Map<String, Object> json, String owner, String group, String mode) {
        json.put("owner", owner);
        json.put("group", group);
        json.put("mode", mode);
    }

    private static Map<String, Object> action(Action action) {
        var json = new LinkedHashMap<String, Object>();
        json.put("id", action.id());
        json.put("does", action.does());
        json.put("done", action.done());
        json.put("run", action.run());
        json.put("undo", action.undo().or(action::whyNoUndo).orElse(""));
        json.put("blast", action.blast().name().toLowerCase(Locale.ROOT));
        json.put("with", action.with());
        json.put("on_delete", action.onDelete());
        return json;
    }

    private static void put(Map<String, Object> json, String name, Optional<?> value) {
        value.ifPresent(present -> json.put(name, present instanceof List<?> list ? List.copyOf(list) : present));
    }
}
