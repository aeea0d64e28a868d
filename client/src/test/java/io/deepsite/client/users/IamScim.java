package io.deepsite.client.users;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import mockwebserver3.Dispatcher;
import mockwebserver3.MockResponse;
import mockwebserver3.RecordedRequest;
import tools.jackson.databind.json.JsonMapper;

/**
 * A stand-in for the SCIM of INDIGO IAM 1.12.0 (commit e998e438), in its behaviour read from: ScimControllerSupport (pages
 * from 1, at most 100, count and startIndex corrected without a word), ListResponseDTO and ScimListResponse (the answer),
 * UserConverter (what a user has), ScimConstants (content type and schemas), ScimUserController (the scope scim:read).
 */
final class IamScim extends Dispatcher {
    static final String TOKEN = "a-token-with-scim-read";

    private static final JsonMapper JSON = new JsonMapper();
    private static final int LONGEST_PAGE = 100;

    final List<Map<String, Object>> users = new ArrayList<>();
    final List<String> asked = new ArrayList<>();

    /** @param groups as IAM shows them: names of subgroups have those above before them, with a slash */
    Map<String, Object> add(String login, boolean active, List<String> groups, List<String> keys) {
        int number = users.size() + 1;
        var user = new LinkedHashMap<String, Object>();
        user.put("id", "00000000-0000-0000-0000-%012d".formatted(number));
        user.put(
                "schemas",
                List.of("urn:ietf:params:scim:schemas:core:2.0:User", "urn:indigo-dc:scim:schemas:IndigoUser"));
        user.put("userName", login);
        user.put("name", Map.of("familyName", "Example", "formatted", login + " Example", "givenName", login));
        user.put("displayName", login);
        user.put("active", active);
        user.put("emails", List.of(Map.of("type", "work", "value", login + "@example.org", "primary", true)));
        user.put(
                "groups",
                groups.stream()
                        .map(group -> Map.of("display", group, "value", "g-" + group, "$ref", "http://iam/" + group))
                        .toList());
        user.put(
                "urn:indigo-dc:scim:schemas:IndigoUser",
                Map.of(
                        "sshKeys",
                        keys.stream()
                                .map(key -> Map.of("display", "key", "value", key))
                                .toList()));
        users.add(user);
        return user;
    }

    @Override
    public MockResponse dispatch(RecordedRequest request) {
        asked.add(request.getTarget());
        if (!("Bearer " + TOKEN).equals(request.getHeaders().get("Authorization"))) {
            return json(401, Map.of("error", "invalid_token", "error_description", "Invalid access token"));
        }
        if (!request.getUrl().encodedPath().equals("/scim/Users")) {
            return json(404, Map.of());
        }
        int start = Math.max(1, number(request, "startIndex", 1)) - 1;
        int count = Math.clamp(number(request, "count", LONGEST_PAGE), 0, LONGEST_PAGE);
        var page = users.subList(Math.min(start, users.size()), Math.min(start + count, users.size()));
        return json(
                200,
                Map.of(
                        "totalResults", users.size(),
                        "itemsPerPage", page.size(),
                        "startIndex", start + 1,
                        "schemas", List.of("urn:ietf:params:scim:api:messages:2.0:ListResponse"),
                        "Resources", page));
    }

    private static int number(RecordedRequest request, String name, int usual) {
        var text = request.getUrl().queryParameter(name);
        return text == null ? usual : Integer.parseInt(Objects.requireNonNull(text));
    }

    private static MockResponse json(int status, Object body) {
        return new MockResponse.Builder()
                .code(status)
                .setHeader("Content-Type", "application/scim+json;charset=UTF-8")
                .body(JSON.writeValueAsString(body))
                .build();
    }
}
