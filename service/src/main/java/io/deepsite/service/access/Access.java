package io.deepsite.service.access;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Decides by the groups of a person. A group counts only if it is written exactly as in the settings: a group below
 * another one, or the same name at another authority, is another group.
 */
public final class Access {
    private final Map<String, MemberSettings> projects;
    private final Set<String> administrators;

    /**
     * @param projects by name
     * @param administrators groups whose members administer the service
     */
    public Access(Map<String, MemberSettings> projects, List<String> administrators) {
        this.projects = new TreeMap<>(projects);
        this.administrators = Set.copyOf(administrators);
    }

    /** Of the whole service, so of each project. */
    public boolean isAdministrator(Person person) {
        return person.groups().stream().anyMatch(administrators::contains);
    }

    /** The highest role in a project; none in one that the person is no member of, or that there is not. */
    public Optional<Role> role(Person person, String project) {
        var members = projects.get(project);
        if (members == null) {
            return Optional.empty();
        }
        if (isAdministrator(person)) {
            return Optional.of(Role.ADMINISTRATOR);
        }
        if (person.groups().stream().anyMatch(members.managers()::contains)) {
            return Optional.of(Role.MANAGER);
        }
        return person.groups().stream().anyMatch(members.users()::contains) ? Optional.of(Role.USER) : Optional.empty();
    }

    /** Of which the person is a member, in the order of their names. */
    public List<String> projects(Person person) {
        return projects.keySet().stream()
                .filter(project -> role(person, project).isPresent())
                .toList();
    }

    /** @throws Failure NOT_ALLOWED, which does not tell whether there is such a project */
    public void require(Person person, String project, Role least) {
        var role = role(person, project);
        if (role.filter(has -> has.includes(least)).isEmpty()) {
            throw new Failure(Diagnostic.error(
                    Code.NOT_ALLOWED,
                    "It takes the role " + least.word() + " in the project " + project + "; you "
                            + role.map(has -> "have the role " + has.word()).orElse("are no member of it") + ".",
                    "Groups of your identity provider give roles: its administrator, or the one of this service,"
                            + " can tell which."));
        }
    }

    /** @throws Failure NOT_ALLOWED */
    public void requireAdministrator(Person person) {
        if (!isAdministrator(person)) {
            throw new Failure(Diagnostic.error(
                    Code.NOT_ALLOWED, "Only administrators of the service may do this.", "Ask one of them."));
        }
    }
}
