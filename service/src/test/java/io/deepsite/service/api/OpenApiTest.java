package io.deepsite.service.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.victools.jsonschema.generator.CustomDefinition;
import com.github.victools.jsonschema.generator.Option;
import com.github.victools.jsonschema.generator.OptionPreset;
import com.github.victools.jsonschema.generator.SchemaBuilder;
import com.github.victools.jsonschema.generator.SchemaGenerator;
import com.github.victools.jsonschema.generator.SchemaGeneratorConfig;
import com.github.victools.jsonschema.generator.SchemaGeneratorConfigBuilder;
import com.github.victools.jsonschema.generator.SchemaVersion;
import io.deepsite.operations.MemorySites;
import io.deepsite.service.access.Access;
import io.deepsite.service.access.People;
import io.deepsite.service.catalogue.Catalogue;
import io.deepsite.service.catalogue.OwnSites;
import io.deepsite.service.login.Logins;
import io.deepsite.service.sites.Quota;
import io.deepsite.service.sites.ServiceLab;
import io.deepsite.service.sites.ShownSecrets;
import io.deepsite.service.sites.SiteLogin;
import io.deepsite.site.load.Golden;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The description of the API, OpenAPI 3.1, is generated from its operations. Written anew with -Dgolden.update=true. */
class OpenApiTest {
    private static final Path FILE = Path.of("src/main/resources/io/deepsite/service/api/openapi.json");
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final Pattern PARAMETER = Pattern.compile("\\{([^}]+)}");

    /** Each class is a schema with a name, and a key that is not Optional is always there. */
    private final SchemaBuilder schemas = new SchemaGenerator(config()).buildMultipleSchemaDefinitions();

    private static SchemaGeneratorConfig config() {
        var builder = new SchemaGeneratorConfigBuilder(SchemaVersion.DRAFT_2020_12, OptionPreset.PLAIN_JSON)
                .with(Option.DEFINITIONS_FOR_ALL_OBJECTS)
                .without(Option.SCHEMA_VERSION_INDICATOR);
        builder.forFields().withRequiredCheck(field -> field.getDeclaredType().getErasedType() != Optional.class);
        builder.forTypesInGeneral().withCustomDefinitionProvider((type, context) -> {
            if (type.getErasedType() == JsonNode.class) {
                return new CustomDefinition(context.getGeneratorConfig().createObjectNode(), true);
            }
            if (type.getErasedType() == Instant.class) {
                return new CustomDefinition(
                        context.getGeneratorConfig()
                                .createObjectNode()
                                .put("type", "string")
                                .put("format", "date-time"),
                        true);
            }
            if (type.isInstanceOf(Map.class)) {
                var map = context.getGeneratorConfig().createObjectNode().put("type", "object");
                map.set(
                        "additionalProperties",
                        context.createDefinitionReference(
                                context.getTypeContext().getTypeParameterFor(type, Map.class, 1)));
                return new CustomDefinition(map, true);
            }
            return null;
        });
        return builder.build();
    }

    @TempDir
    static Path folder;

    private List<Operation> operations = List.of();

    @BeforeEach
    void describe() {
        try (var lab = new ServiceLab(folder, Quota.NONE)) {
            var catalogue = new Catalogue(folder, MemorySites.kinds().loader());
            var people = new People(lab.tables, lab.clock());
            var access = new SiteAccess(new Access(Map.of(), List.of()), people, lab.sites);
            var kinds = MemorySites.kinds();
            var own = new OwnOrders(
                    new OwnSites(Map.of(), folder, kinds.loader()), access, kinds.model(), kinds.loader());
            var login = new SiteLogin(catalogue, kinds, lab.work, new ShownSecrets(lab.tables, lab.clock()));
            operations = new Api(
                            new Logins.Ways(Optional.empty(), true),
                            catalogue,
                            lab.sites,
                            lab.work,
                            access,
                            own,
                            lab.feed,
                            login,
                            Optional.empty())
                    .operations();
        }
    }

    @Test
    void theDescriptionIsThatOfTheOperations() {
        Golden.assertSame(
                FILE, JSON.writer().with(SerializationFeature.INDENT_OUTPUT).writeValueAsString(document()) + "\n");
    }

    @Test
    void eachOperationHasANameOfItsOwn() {
        assertThat(operations.stream().map(Operation::id)).doesNotHaveDuplicates();
    }

    private ObjectNode document() {
        var document = JSON.createObjectNode();
        document.put("openapi", "3.1.0");
        document.putObject("info")
                .put("title", "deepsite")
                .put("version", "1")
                .put("description", "Sites on demand. Errors are problem+json (RFC 9457) with deepsite's codes.");
        document.putArray("security").addObject().putArray("token");
        var paths = document.putObject("paths");
        for (var operation : operations) {
            var path =
                    paths.withObject("/" + operation.path().replace("~", "~0").replace("/", "~1"));
            describe(path.putObject(operation.method().toLowerCase(Locale.ROOT)), operation);
        }
        var components = document.putObject("components");
        components
                .putObject("securitySchemes")
                .putObject("token")
                .put("type", "http")
                .put("scheme", "bearer")
                .put("description", "A token of the identity provider, made for this service.");
        components.set("schemas", schemas.collectDefinitions("components/schemas"));
        return document;
    }

    private void describe(ObjectNode node, Operation operation) {
        node.put("operationId", operation.id()).put("summary", operation.summary());
        if (operation.path().equals("/v1/login")) {
            // Open, as the service's own list of open paths says.
            node.putArray("security");
        }
        var parameters = node.putArray("parameters");
        var named = PARAMETER.matcher(operation.path());
        while (named.find()) {
            var parameter = parameters.addObject();
            parameter.put("name", named.group(1)).put("in", "path").put("required", true);
            parameter.putObject("schema").put("type", "string");
        }
        for (var query : operation.queries()) {
            var parameter = parameters.addObject();
            parameter
                    .put("name", query.name())
                    .put("in", "query")
                    .put("required", query.required())
                    .put("description", query.about());
            parameter.putObject("schema").put("type", query.type());
        }
        operation.body().ifPresent(body -> {
            var request = node.putObject("requestBody").put("required", true);
            reference(request, "application/json", body);
        });
        var responses = node.putObject("responses");
        var success = responses.putObject(String.valueOf(operation.status())).put("description", "It worked.");
        operation.answer().ifPresent(answer -> reference(success, "application/json", answer));
        var fault = responses.putObject("default").put("description", "What is wrong, and what to do.");
        reference(fault, "application/problem+json", Bodies.Problem.class);
    }

    private void reference(ObjectNode node, String type, Class<?> schema) {
        node.putObject("content").putObject(type).set("schema", schemas.createSchemaReference(schema));
    }

    @Test
    void everyAnswerIsDescribed() {
        var undescribed = new LinkedHashMap<String, Operation>();
        operations.stream()
                .filter(operation -> operation.answer().isEmpty())
                .forEach(operation -> undescribed.put(operation.id(), operation));

        assertThat(undescribed.keySet()).containsExactlyInAnyOrder("getPicture", "listEvents", "getKubeconfig");
    }
}
