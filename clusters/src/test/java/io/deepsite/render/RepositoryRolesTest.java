package io.deepsite.render;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.contract.Contract;
import io.deepsite.contract.Item;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class RepositoryRolesTest {
    private final TemplateRenderer templates = TemplateRenderer.checkingAll(RepositoryRoles.HOME);

    @Test
    void everyTemplateHoldsOnlyWhatIsAllowed() {
        assertThat(RepositoryRoles.templates()).isNotEmpty().allSatisfy(templates::load);
    }

    @Test
    void everyRoleIsReadAndItsVariablesCarryItsName() {
        assertThat(RepositoryRoles.names()).isNotEmpty().allSatisfy(name -> {
            var role = Role.read(RepositoryRoles.HOME, templates, name);
            assertThat(role.variables().keySet()).allMatch(variable -> variable.startsWith(name + "_"));
            assertThat(role.variables().values())
                    .allMatch(spec -> !spec.description().isBlank(), "has a description");
        });
    }

    @Test
    void noRoleHasTasksOfItsOwnForWhatBundlesBring() {
        assertThat(RepositoryRoles.names())
                .flatMap(name -> List.of(name + "/tasks/main.yml", name + "/tasks/leave.yml"))
                .noneMatch(file -> Files.exists(RepositoryRoles.HOME.roles().resolve(file)));
    }

    @Test
    void everyTemplateOfARoleIsUsedByASite() {
        var used = new TreeSet<String>();
        contracts()
                .values()
                .forEach(contracts -> contracts.forEach(contract -> contract.items().stream()
                        .filter(Item.File.class::isInstance)
                        .forEach(item -> used.add(contract.role() + ((Item.File) item).path() + ".j2"))));

        var ofRoles = RepositoryRoles.templates().stream()
                .filter(template -> RepositoryRoles.names().contains(template.split("/")[0]))
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(used).containsAll(ofRoles);
    }

    @Test
    void noTwoRolesOfAHostClash() {
        assertThat(contracts())
                .isNotEmpty()
                .allSatisfy((_, contracts) ->
                        assertThat(ContractClash.find(contracts)).isEmpty());
    }

    @Test
    void contractsComeBackFromJsonEqual() {
        contracts()
                .values()
                .forEach(contracts ->
                        contracts.forEach(contract -> assertThat(ContractJson.read(ContractJson.write(contract)))
                                .isEqualTo(contract)));
    }

    /** By kind of machine and host. */
    private Map<String, List<Contract>> contracts() {
        var renderer = new ContractRenderer(RepositoryRoles.HOME, templates);
        var scopes = new HashMap<Boolean, SiteScope>();
        var contracts = new TreeMap<String, List<Contract>>();
        for (var use : RepositoryRoles.uses()) {
            var scope = scopes.computeIfAbsent(
                    use.machine().container(), container -> new SiteScope(RepositoryRoles.allMachines(container)));
            contracts
                    .computeIfAbsent(
                            use.machine().provider() + "/" + use.machine().name(), _ -> new ArrayList<>())
                    .add(renderer.render(use.role(), use.machine(), scope, use.variables())
                            .contract());
        }
        return contracts;
    }
}
