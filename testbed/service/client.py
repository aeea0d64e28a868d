"""Uses the API through the client that openapi-generator made from /v1/openapi.json: client.py URL COOKIE CSRF"""
import sys
import time
import uuid

import deepsite_client
from deepsite_client.exceptions import ApiException


def main(url, cookie, csrf):
    client = deepsite_client.ApiClient(deepsite_client.Configuration(host=url))
    for name, value in (("Cookie", cookie), ("X-CSRF-Token", csrf), ("Origin", url)):
        client.set_default_header(name, value)
    api = deepsite_client.DefaultApi(client)

    project = api.list_projects().projects[0]
    assert project.name == "lab" and project.role == "user", project
    template = api.list_templates(project.name).templates[0]
    assert template.parameters["nodes"].type == "integer", template
    cost = api.ask_cost(template.id, deepsite_client.CostQuestion(project=project.name, parameters={"nodes": "3"}))
    assert cost.fits and {share.name: share.asked for share in cost.shares}["machines"] == 4, cost

    client.set_default_header("Idempotency-Key", str(uuid.uuid4()))
    order = deepsite_client.Order(project=project.name, template=template.id, parameters={"nodes": "1"})
    site = api.order_site(order)
    assert api.order_site(order).id == site.id
    begun = time.monotonic()
    while site.status == "planning" and time.monotonic() - begun < 300:
        time.sleep(0.2)
        site = api.get_site(site.id)
    assert site.status == "planned", site
    assert site.runs[0].verb == "plan" and site.amounts.machines == 2, site
    assert [other.id for other in api.list_sites(project.name, limit=1).sites] == [site.id]

    for refused, status in ((lambda: api.get_site("nothing"), 404), (lambda: api.retry_run(site.id), 409), (lambda: api.list_audit(project.name), 403)):
        try:
            refused()
        except ApiException as fault:
            assert fault.status == status and "DS81" in fault.body, fault
        else:
            raise AssertionError(f"{status} was expected")

    api.delete_site(site.id)
    while api.get_site(site.id).status != "deleted" and time.monotonic() - begun < 300:
        time.sleep(0.2)
    assert api.get_site(site.id).status == "deleted"
    print("the client of", site.id, "did all it should")


if __name__ == "__main__":
    main(*sys.argv[1:])
