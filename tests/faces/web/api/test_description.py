"""The OpenAPI and the AsyncAPI say everything: a program can be written from them alone."""

import json
from urllib.parse import unquote

import jsonschema
import pytest

from parlour.faces.web.api.description import MESSAGES, UNIONS, describe_streams
from parlour.faces.web.app import describe_api
from parlour.faces.web.clients import COOKIE

OPENAPI = json.loads(json.dumps(describe_api()))
ASYNCAPI = json.loads(json.dumps(describe_streams()))
OPERATIONS = {
    spec["operationId"]: (path, method, spec)
    for path, methods in OPENAPI["paths"].items()
    for method, spec in methods.items()
}
REFUSALS = {"401", "403", "404", "409", "413", "422", "426", "429", "503"}


def look_up(document, reference):
    found = document
    for part in reference.removeprefix("#/").split("/"):
        found = found[unquote(part).replace("~1", "/").replace("~0", "~")]
    return found


def references(node):
    if isinstance(node, dict):
        for key, value in node.items():
            if key == "$ref" and isinstance(value, str):
                yield value
            else:
                yield from references(value)
    elif isinstance(node, list):
        for each in node:
            yield from references(each)


@pytest.mark.parametrize("document", [OPENAPI, ASYNCAPI], ids=["openapi", "asyncapi"])
def test_every_reference_leads_somewhere(document):
    found = set(references(document))
    assert len(found) > 20
    for reference in found:
        look_up(document, reference)


@pytest.mark.parametrize("document", [OPENAPI, ASYNCAPI], ids=["openapi", "asyncapi"])
def test_every_schema_and_every_field_has_a_meaning(document):
    for name, schema in document["components"]["schemas"].items():
        assert schema.get("description"), name
        jsonschema.Draft202012Validator.check_schema(schema)
        for field, its in schema.get("properties", {}).items():
            assert len(its.get("description", "")) > 8, f"{name}.{field}"


def test_every_operation_says_what_it_does_who_may_and_how_it_refuses():
    problem = {"schema": {"$ref": "#/components/schemas/ProblemDocument"}}
    schemes = OPENAPI["components"]["securitySchemes"]
    assert (schemes["bearer"]["type"], schemes["bearer"]["scheme"]) == ("http", "bearer")
    assert (schemes["cookie"]["type"], schemes["cookie"]["in"]) == ("apiKey", "cookie")
    assert schemes["cookie"]["name"] == COOKIE
    for name, (path, _, spec) in OPERATIONS.items():
        assert spec["summary"], name
        assert len(spec["description"]) > 15, name
        assert spec["tags"], name
        assert all(parameter["description"] for parameter in spec.get("parameters", ())), name
        refused = {status for status in spec["responses"] if status[0] in "45"}
        assert {"401", "413", "422", "429", "503"} <= refused <= REFUSALS, name
        for status in refused:
            content = spec["responses"][status]["content"]
            assert content == {"application/problem+json": problem}, (name, status)
        for status in ("429", "503"):
            assert "Retry-After" in spec["responses"][status]["headers"], name
        ways = spec["security"]  # stated for every operation
        assert {scheme for way in ways for scheme in way} <= set(schemes), name
        if "{" in path and not path.endswith("/stream"):
            assert "404" in refused, name


def test_links_lead_to_operations_and_name_their_parameters():
    links = [
        (name, link)
        for name, (_, _, spec) in OPERATIONS.items()
        for response in spec["responses"].values()
        for link in response.get("links", {}).values()
    ]
    assert len(links) > 15
    for name, link in links:
        _, _, target = OPERATIONS[link["operationId"]]
        known = {parameter["name"] for parameter in target.get("parameters", ())}
        assert set(link["parameters"]) <= known, name
        assert link["description"]


def test_every_message_of_a_stream_has_a_type_and_is_referred_to():
    schemas = OPENAPI["components"]["schemas"]
    for message in MESSAGES:
        spec = schemas[message.__name__]
        assert "const" in spec["properties"]["type"]
        assert "type" in spec["required"]
    for name, members in UNIONS.items():
        union = schemas[name]
        mapping = union["discriminator"]["mapping"]
        assert len(mapping) == len(members)
        for kind, reference in mapping.items():
            assert look_up(OPENAPI, reference)["properties"]["type"]["const"] == kind
    carried = [json.dumps(each) for each in ASYNCAPI["channels"].values()]
    assert all(any(message.__name__ in each for each in carried) for message in MESSAGES)


def test_the_description_of_streams_has_the_shape_of_asyncapi():
    """The parts that its specification, version 3.0.0, requires."""
    assert ASYNCAPI["asyncapi"] == "3.0.0"
    assert {"title", "version"} <= set(ASYNCAPI["info"])
    for channel in ASYNCAPI["channels"].values():
        assert channel["address"] in OPENAPI["paths"]
    for operation in ASYNCAPI["operations"].values():
        assert operation["action"] in ("send", "receive")
        channel = operation["channel"]["$ref"]
        assert look_up(ASYNCAPI, channel)
        for message in operation["messages"]:
            assert message["$ref"].startswith(f"{channel}/messages/")
