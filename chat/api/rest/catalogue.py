"""Lectures, works and their sections, in the collections that the token's owner may see."""

from typing import Any
from urllib.parse import quote
from uuid import UUID

from django.db.models import QuerySet
from django.urls import reverse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from chat.api.bodies import problems
from chat.api.rest import bodies
from chat.api.rest.paging import PARAMETERS, READABLE, page_of
from chat.api.translated import translated_response
from corpus.catalogue.links import paragraph_anchor
from corpus.catalogue.listing import titled
from corpus.catalogue.reading import visible_lecture, visible_work
from corpus.domain.text.folding import fold
from corpus.models import Collection, Lecture, Section, Work

MOST_TYPED = 200  # characters of a title or an address
LIST = [
    OpenApiParameter("q", READABLE, description="Words of the title, in any spelling."),
    OpenApiParameter("collection", READABLE, description="A collection's key."),
    *PARAMETERS,
]
AT = OpenApiParameter("at", READABLE, description="An address to begin at, such as BG 2.13.")


class NoSuchSection(NotFound):
    where = "at"


class LecturesView(APIView):
    @extend_schema(operation_id="lectures_list", parameters=LIST, responses={200: bodies.LecturePage, **problems()})
    def get(self, request: Request) -> Response:
        """The published lectures, by title."""
        lectures = _listed(request, Lecture.objects.defer("text", "cues", "sounds"))
        rows, following = page_of(request, lectures, "title")
        page = bodies.LecturePage(lectures=[bodies.LectureItem(**_lecture(row)) for row in rows], next=following)
        return translated_response(request, page.model_dump(mode="json"))


class LectureView(APIView):
    @extend_schema(responses={200: bodies.LectureBody, **problems()})
    def get(self, request: Request, lecture_id: UUID) -> Response:
        """A lecture; also one that a newer transcript replaced, because earlier answers cite it."""
        lecture = visible_lecture(request.user, lecture_id)
        body = bodies.LectureBody(**_lecture(lecture), summary=lecture.summary)
        return translated_response(request, body.model_dump(mode="json"))


class LectureSectionsView(APIView):
    @extend_schema(parameters=[AT, *PARAMETERS], responses={200: bodies.SectionPage, **problems()})
    def get(self, request: Request, lecture_id: UUID) -> Response:
        """The paragraphs of a lecture with their seconds in the recording, in order."""
        lecture = visible_lecture(request.user, lecture_id)
        return _sections(request, lecture.sections.all(), reverse("lecture", args=[lecture.pk]))


class WorksView(APIView):
    @extend_schema(operation_id="works_list", parameters=LIST, responses={200: bodies.WorkPage, **problems()})
    def get(self, request: Request) -> Response:
        """The published works, by title."""
        rows, following = page_of(request, _listed(request, Work.objects.defer("books")), "title")
        page = bodies.WorkPage(works=[bodies.WorkItem(**_work(row)) for row in rows], next=following)
        return Response(page.model_dump(mode="json"))


class WorkView(APIView):
    @extend_schema(responses={200: bodies.WorkBody, **problems()})
    def get(self, request: Request, work_id: UUID) -> Response:
        work = visible_work(request.user, work_id)
        return Response(bodies.WorkBody(**_work(work), sections=work.sections.count()).model_dump(mode="json"))


class WorkSectionsView(APIView):
    @extend_schema(parameters=[AT, *PARAMETERS], responses={200: bodies.SectionPage, **problems()})
    def get(self, request: Request, work_id: UUID) -> Response:
        """The sections of a work, in order; with `at`, from that address on."""
        work = visible_work(request.user, work_id)
        return _sections(request, work.sections.all(), reverse("work", args=[work.pk]))


def _listed(request: Request, sources: QuerySet[Any]) -> QuerySet[Any]:
    collections = Collection.objects.visible_to(request.user)
    if key := request.query_params.get("collection"):
        collections = collections.filter(key=key)
    published = sources.filter(state=Lecture.State.PUBLISHED, collection__in=collections)
    return titled(published.select_related("collection"), request.query_params.get("q", "")[:MOST_TYPED])


def _sections(request: Request, sections: QuerySet[Section], page: str) -> Response:
    if at := request.query_params.get("at", "")[:MOST_TYPED]:
        first = sections.filter(address=at).first() or sections.filter(address_key=fold(at)).first()
        if first is None:
            raise NoSuchSection(f"There is no section at “{at}” here. Addresses are those that this list gives.")
        sections = sections.filter(ordinal__gte=first.ordinal)
    rows, following = page_of(request, sections, "ordinal")
    items = [bodies.SectionItem(**_section(row, page)) for row in rows]
    return Response(bodies.SectionPage(sections=items, next=following).model_dump(mode="json"))


def _lecture(lecture: Lecture) -> dict[str, Any]:
    return {
        "id": lecture.pk,
        "key": lecture.key,
        "title": lecture.title,
        "series": lecture.series,
        "speaker": lecture.speaker,
        "date": lecture.date.isoformat() if lecture.date else "",
        "place": lecture.place,
        "language": lecture.language,
        "collection": lecture.collection.key,
        "media": reverse("lecture_media", args=[lecture.pk]) if lecture.has_recording else None,
        "media_seconds": lecture.media_seconds,
        "url": reverse("lecture", args=[lecture.pk]),
    }


def _work(work: Work) -> dict[str, Any]:
    return {
        "id": work.pk,
        "key": work.key,
        "title": work.title,
        "abbreviation": work.abbreviation,
        "translator": work.translator,
        "language": work.language,
        "collection": work.collection.key,
        "url": reverse("work", args=[work.pk]),
    }


def _section(section: Section, page: str) -> dict[str, Any]:
    if section.work_id:
        url = f"{page}?at={quote(section.address)}"
    elif section.start is not None:
        url = f"{page}#t={section.start:g}" + (f",{section.end:g}" if section.end is not None else "")
    else:
        url = f"{page}#{paragraph_anchor(section.address)}"
    shown = ("ordinal", "address", "heading", "speaker", "text", "original", "start", "end")
    return {**{name: getattr(section, name) for name in shown}, "url": url}
