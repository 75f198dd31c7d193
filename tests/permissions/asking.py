"""Asks the site for an address as somebody: what is sent where, and what came back."""

from dataclasses import dataclass
from uuid import UUID

from django.urls import get_resolver, reverse

from tests.permissions import site
from tests.permissions.routes import is_coroutine, outcome_of, undone

ABSENT = UUID(int=7)
AFAR = "from afar"
SOUGHT = "silver compass choir apple lamp"
NUMBERED = {"reader's": 1, "visitor's": 1, "absent": 1}  # the citation that is opened
GIVEN = {
    "audit_report_table": {"name": "outcomes"},
    "openai_model": {"name": "lectorium-auto"},
    "admin:app_list": {"app_label": "corpus"},
    "admin:view_on_site": {"content_type_id": "1", "object_id": "1"},
}
PATHS = {"api_nowhere": "/api/v1/nowhere", "admin:<redirect>": "/admin/nowhere/"}
QUERIES = {
    "search": {"q": SOUGHT},
    "api_search": {"q": SOUGHT},
    "lectures": {"q": ""},
    "admin:curation_passages": {"q": SOUGHT},
    "audit_evaluation_compare": {"run": "x"},
    "conversations": {"find": site.READERS_QUESTION},
}
DRAFT_ACCESS = ("api_gaps", "api_gap")  # addresses that ask more of a token than to read
COMPLETION = {"model": "lectorium-instant", "messages": [{"role": "user", "content": site.HIDDEN_QUESTION}]}
COMPLETED = {  # what admin suggests while a field is typed: (model, field)
    "collections' groups": ("corpus", "collection", "groups"),
    "facts": ("curation", "fact", "superseded_by"),
    "contradicting facts": ("curation", "contradiction", "one"),
    "owners of tokens": ("api", "token", "owner"),
}
EXPORTED = {"format": "0", "resource": ""}


@dataclass(frozen=True)
class Answered:
    """status: as the tables write it. writes: the statements that changed rows."""

    status: str
    area: str  # the place, as the table of words names it
    body: str
    writes: list[str]


class Asking:
    """Sends the requests of the tables, each as if it were the first."""

    def __init__(self, people, objects):
        self.people, self._objects = people, objects

    def ask(self, role, name, method, thing="-"):
        """Send the request of a row of the table."""
        more = {"REMOTE_ADDR": "192.0.2.7"} if thing == AFAR else {}
        return self._send(role, name, method, self._path(name, thing), self._body(name, method, thing), more)

    def get(self, role, name, query):
        return self._send(role, name, "GET", self._path(name, "-"), query, {})

    def _send(self, role, name, method, path, data, more):
        person = self.people[role]
        sent = {"data": data, "headers": {"accept-language": "de"}, **more}
        if name.startswith(("api_", "openai_")):
            sent["content_type"] = "application/json"
            secret = person.tokens.get("draft" if name in DRAFT_ACCESS else "read")
            if secret:
                sent["headers"]["authorization"] = f"Bearer {secret}"
        person.client.cookies["sessionid"] = person.session.session_key  # signing out forgets it
        area = "admin/index" if name == "admin:app_list" else area_of(path)
        send = getattr(person.client, method.lower())
        if is_coroutine(name):
            response = send(path, **sent)
            return Answered(outcome_of(response), area, response.content.decode(errors="replace"), [])
        response, body, writes = undone(lambda: send(path, **sent))
        return Answered(outcome_of(response), area, body.decode(errors="replace"), writes)

    def _path(self, name, thing):
        if name == "embed":
            return reverse(name, query={"origin": site.FRAMING} if thing != "-" else {})
        return PATHS.get(name) or reverse(name, kwargs=self._values(name, thing))

    def _values(self, name, thing):
        wanted = {parameter for _, parameters in get_resolver_of(name) for parameter in parameters}
        values = dict(GIVEN.get(name, {}))
        for parameter in wanted - values.keys():
            if parameter == "n":
                values["n"] = NUMBERED[thing]
            elif parameter == "id":
                values["id"] = str(self.people["reader"].user.pk)
            elif parameter == "ending":
                values["ending"] = "json"
            else:
                values[parameter] = self._objects[parameter].get(thing, ABSENT) if thing != "absent" else ABSENT
        return values

    def _body(self, name, method, thing):
        if method in {"GET", "HEAD"}:
            query = dict(QUERIES.get(name, {}))
            if name == "oembed" and thing != "-":
                query = {"url": f"http://testserver/s/{self._objects['token'].get(thing, 'absent')}/"}
            if name == "admin:autocomplete":
                query = dict(zip(("app_label", "model_name", "field_name"), COMPLETED[thing], strict=True), term="")
            return query
        conversation = self._objects["conversation_id"].get(thing, ABSENT)
        turn = self._objects["turn_id"].get(thing, ABSENT)
        bodies = {
            "ask": {"question": site.HIDDEN_QUESTION, "mode": "instant"}
            | ({"conversation": str(conversation)} if thing != "-" else {}),
            "rename": {"title": "New"},
            "sign_up": {"email": site.NEW_ADDRESS},
            "password_reset": {"email": site.NEW_ADDRESS},
            "account": {"mode": "instant"},
            "account_delete": {"password": site.PASSWORD},
            "feedback": {"turn": turn, "kind": "not_helpful", "citation": 0},
            "citation_opened": {"turn": turn, "citation": 1},
            "answer_translation": {"turn": turn},
            "api_ask": {"question": site.HIDDEN_QUESTION, "mode": "instant"}
            | ({"conversation": str(conversation)} if thing != "-" else {}),
            "embed": {"question": site.HIDDEN_QUESTION}
            | ({"conversation": conversation} if thing == "reader's" else {}),
            "openai_completions": COMPLETION,
            "api_feedback": {"kind": "helpful"},
            "audit_replay_ask": {"mode": "instant", "row": "", "verifier": ""},
            "audit_review_item": {"decision": "agree"},
            "admin:gap_dismiss": {"because": "Not ours."},
            "admin:curation_wordings": {"question": site.PINNED_QUESTION},
            "admin:curation_pinnedquestion_delete": {"post": "yes"},
            "admin:curation_memorynote_delete": {"post": "yes"},
        }
        if name.endswith("_export"):
            return EXPORTED
        if name.endswith(("_try", "_try_new")):
            return {"try_question": site.HIDDEN_QUESTION, "question": site.PINNED_QUESTION, "title": "A compass",
                    "references": f"{site.GARDEN}:1", "language": "en"}  # fmt: skip
        return bodies.get(name, {})


def area_of(path):
    """admin/APP, audit, api, shared or site."""
    first, second = [*path.strip("/").split("/"), "", ""][:2]
    if first == "admin":
        return f"admin/{second or 'index'}"
    return {"v1": "api", "s": "shared", "oembed": "shared"}.get(first, first if first in {"audit", "api"} else "site")


def get_resolver_of(name):
    """The ways in which the address can be written, each with its parameters."""
    namespace, _, own = name.rpartition(":")
    resolver = get_resolver()
    if namespace:
        resolver = resolver.namespace_dict[namespace][1]
    return resolver.reverse_dict.getlist(own)[0][0]
