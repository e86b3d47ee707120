"""Pages of catalogue editors: overview, imports, decisions and report."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.core.paginator import InvalidPage, Page, Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext, ngettext
from django.views.decorators.http import require_GET, require_http_methods, require_POST

import rules
from decks.access import get_signed_in_user
from decks.catalogue import facts_table
from decks.catalogue.forms import CatalogueFileForm, FactsTableForm
from decks.catalogue.importing.preview import ConflictRow, difference_in_words, preview_in_words
from decks.catalogue.models import CardSet, CatalogueImport, Printing
from decks.catalogue.selectors import catalogue_overview, recent_imports
from decks.catalogue.services import imports, undo
from decks.shared.refusals import Refused

CONFLICTS_A_PAGE = 50
View = Callable[..., HttpResponse]


def catalogue_editor_required(page: View) -> View:
    """Let in users who hold `decks.import_catalogue`; others see whom to ask."""

    @wraps(page)
    def guard(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not request.user.has_perm("decks.import_catalogue"):
            raise PermissionDenied(
                gettext(
                    "Only catalogue editors may do this. Ask an administrator to add you to the "
                    "group “Catalogue editors”."
                )
            )
        return page(request, *args, **kwargs)

    return login_required(guard)


@catalogue_editor_required
@require_http_methods(["GET", "HEAD", "POST"])
def show_catalogue(request: HttpRequest) -> HttpResponse:
    """Show the catalogue of each game and the latest imports; accept a new file."""
    is_sent = request.method == "POST"
    form = CatalogueFileForm(request.POST, request.FILES) if is_sent else CatalogueFileForm()
    if is_sent and form.is_valid():
        game, name = form.cleaned_data["game"], form.file_name()
        try:
            catalogue_import = imports.receive_file(
                form.content(), file_name=name, game=game, person=get_signed_in_user(request.user)
            )
        except Refused as refusal:
            form.add_error(refusal.field, refusal.message)
        else:
            return redirect("catalogue_import", catalogue_import.pk)
    context = {"form": form, "games": catalogue_overview(), "imports": recent_imports()}
    return render(request, "decks/catalogue/catalogue.html", context, status=422 if is_sent else 200)


@catalogue_editor_required
@require_http_methods(["GET", "HEAD", "POST"])
def fill_facts(request: HttpRequest, game: str, set_code: str) -> HttpResponse:
    """Show the facts of a set's cards as a grid.

    What is sent goes through the preview of an import.
    """
    card_set = _get_card_set(game, set_code)
    page = _get_grid_page(request, card_set)
    rows = facts_table.build_rows(card_set, page.object_list)
    form = FactsTableForm(initial={"table": facts_table.write_facts_table(card_set)})
    if request.method == "POST":
        is_table = "table" in request.POST
        form = FactsTableForm(request.POST) if is_table else form
        rows = rows if is_table else facts_table.enter_cells(rows, request.POST)
        content = _read_sent_table(form) if is_table else _read_grid(request, rows)
        removed_facts = {} if is_table else facts_table.list_cleared_facts(rows)
        catalogue_import = _send_table(request, card_set, form, content, removed_facts) if content else None
        if catalogue_import is not None:
            return redirect("catalogue_import", catalogue_import.pk)
    facts = facts_table.list_columns(game)
    columns = [rules.get_game(game).cards.label(fact.key) for fact in facts]
    context = {"form": form, "set": card_set, "game": rules.get_game(game), "page": page}
    context |= {"has_tables": any(fact.kind == "table" for fact in facts)}
    context |= {"rows": rows, "columns": columns, "shown_values": facts_table.write_shown_values(rows)}
    status = 422 if request.method == "POST" else 200
    return render(request, "decks/catalogue/facts.html", context, status=status)


def _get_card_set(game: str, code: str) -> CardSet:
    """Return the set, or one that is not stored for the cards without a set."""
    is_without = code == facts_table.NO_SET and any(each.key == game for each in rules.games())
    return CardSet(game=game) if is_without else get_object_or_404(CardSet, game=game, code=code)


def _get_grid_page(request: HttpRequest, card_set: CardSet) -> Page[Printing]:
    paginator = Paginator(
        facts_table.list_printings(card_set), facts_table.count_rows_per_page(card_set.game)
    )
    try:
        return paginator.page(request.GET.get("page") or 1)
    except InvalidPage as error:
        raise Http404(gettext("There is no such page.")) from error


def _read_sent_table(form: FactsTableForm) -> str:
    return str(form.cleaned_data["table"]) if form.is_valid() else ""


def _read_grid(request: HttpRequest, rows: list[facts_table.FactRow]) -> str:
    """Return the changed cells as a table.

    Empty, with a message, if there is nothing to send.
    """
    wrong_cells = [cell for row in rows for cell in row.cells if cell.is_wrong]
    if wrong_cells:
        _show_wrong_cells(request, wrong_cells)
        return ""
    content = facts_table.write_entered_cells(rows)
    if not content:
        messages.error(request, gettext("No cell was changed. Fill in a cell first."))
    return content


def _show_wrong_cells(request: HttpRequest, wrong_cells: list[facts_table.FactCell]) -> None:
    overtaken_count = sum(cell.is_overtaken for cell in wrong_cells)
    if overtaken_count:
        sentence = ngettext(
            "Someone changed 1 cell that you emptied. It shows the new value. Empty it again to remove the "
            "fact.",
            "Someone changed %(count)d cells that you emptied. They show the new values. Empty them again to "
            "remove the facts.",
            overtaken_count,
        )
        messages.error(request, sentence % {"count": overtaken_count})
    if unreadable := len(wrong_cells) - overtaken_count:
        sentence = ngettext(
            "1 cell is not accepted. Enter a value for that fact.",
            "%(count)d cells are not accepted. Enter values for these facts.",
            unreadable,
        )
        messages.error(request, sentence % {"count": unreadable})


def _send_table(
    request: HttpRequest,
    card_set: CardSet,
    form: FactsTableForm,
    content: str,
    removed_facts: dict[str, list[str]],
) -> CatalogueImport | None:
    """Return the import of the table.

    None, with the reason shown, if the table is refused.
    """
    try:
        return imports.receive_file(
            content.encode("utf-8", "replace"),
            file_name=f"{card_set.code or card_set.game}.tsv",
            game=card_set.game,
            person=get_signed_in_user(request.user),
            removed_facts=removed_facts,
        )
    except Refused as refusal:
        messages.error(request, refusal.message)
        if form.is_bound:
            form.add_error("table", refusal.message)
        return None


@catalogue_editor_required
@require_GET
def show_import(request: HttpRequest, import_id: UUID) -> HttpResponse:
    """Show one import, in any state.

    While a worker has it, htmx asks only for the progress.
    """
    catalogue_import = _get_import(import_id)
    is_stuck = imports.is_stuck(catalogue_import)
    if request.headers.get("HX-Request") == "true":
        response = render(
            request,
            "decks/catalogue/_import_progress.html",
            {"import": catalogue_import, "is_stuck": is_stuck},
        )
        if not catalogue_import.is_at_work or is_stuck:
            response["HX-Refresh"] = "true"
        return response
    preview = catalogue_import.report or catalogue_import.preview
    context = {
        "import": catalogue_import,
        "is_stuck": is_stuck,
        "can_undo": undo.can_undo(catalogue_import),
        "is_stale": catalogue_import.state == CatalogueImport.State.OPEN
        and imports.is_stale(catalogue_import),
        "preview": preview_in_words(preview),
        "seen_mark": imports.decisions_fingerprint(catalogue_import),
        "conflicts": _conflicts_page(request, catalogue_import, preview.get("conflicts", [])),
    }
    return render(request, "decks/catalogue/import.html", context)


def _conflicts_page(
    request: HttpRequest, catalogue_import: CatalogueImport, conflicts: list[ConflictRow]
) -> Page[dict[str, object]]:
    """Return a page of the conflicts, each with the side that holds so far."""
    conflict_rows: list[dict[str, object]] = [
        {**difference_in_words(each), "side": catalogue_import.side(each["token"])} for each in conflicts
    ]
    try:
        return Paginator(conflict_rows, CONFLICTS_A_PAGE).page(request.GET.get("page") or 1)
    except InvalidPage as error:
        raise Http404(gettext("There is no such page.")) from error


def _get_import(import_id: UUID) -> CatalogueImport:
    return get_object_or_404(CatalogueImport.objects.select_related("job"), pk=import_id)


def _step(name: str, step: Callable[[HttpRequest, CatalogueImport], str]) -> View:
    """Make a view that runs one step of an import and shows a message."""

    @catalogue_editor_required
    @require_POST
    def page(request: HttpRequest, import_id: UUID) -> HttpResponse:
        catalogue_import = _get_import(import_id)
        try:
            message = step(request, catalogue_import)
        except Refused as refusal:
            messages.error(request, refusal.message)
        else:
            if message:
                messages.success(request, message)
        return redirect("catalogue_import", catalogue_import.pk)

    page.__name__ = name
    return page


def _decide(request: HttpRequest, catalogue_import: CatalogueImport) -> str:
    """Save the decisions of the page, or one decision for all conflicts."""
    if all_of_them := request.POST.get("all", ""):
        imports.decide(catalogue_import, all_of_them=all_of_them, seen_mark=request.POST.get("seen"))
        return _decided_at_once(all_of_them, catalogue_import.preview["counts"]["undecidable"])
    imports.decide(catalogue_import, each=_sides(request))
    return gettext("Decisions saved.")


def _decided_at_once(side: str, undecidable: int) -> str:
    if side != "take":
        return gettext("All conflicts keep the stored value.")
    if not undecidable:
        return gettext("All conflicts use the value from the file.")
    sentence = ngettext(
        "The file wins every other conflict. 1 name stays, because another card has its key.",
        "The file wins every other conflict. %(count)d names stay, because other cards have their keys.",
        undecidable,
    )
    return sentence % {"count": undecidable}


def _sides(request: HttpRequest) -> dict[str, str]:
    """Return the sides chosen on the page, by the tokens of the conflicts.

    Sides that the page already showed are left out. Each of two editors keeps what they changed: with two
    sides to choose from they cannot disagree.
    """
    sent_sides = {name[5:]: str(side) for name, side in request.POST.items() if name.startswith("side-")}
    return {token: side for token, side in sent_sides.items() if request.POST.get(f"was-{token}") != side}


def _apply(request: HttpRequest, catalogue_import: CatalogueImport) -> str:
    """Carry out the import, with the unsaved decisions of the page."""
    imports.decide_and_apply(
        catalogue_import,
        get_signed_in_user(request.user),
        each=_sides(request),
        seen_mark=request.POST.get("seen"),
    )
    return ""


def _again(request: HttpRequest, catalogue_import: CatalogueImport) -> str:
    if imports.is_stuck(catalogue_import):
        imports.retry_import(catalogue_import, get_signed_in_user(request.user))
    else:
        imports.refresh_preview(catalogue_import, get_signed_in_user(request.user))
    return ""


def _throw_away(request: HttpRequest, catalogue_import: CatalogueImport) -> str:
    imports.discard_import(catalogue_import, get_signed_in_user(request.user))
    return gettext("File discarded. Nothing was imported.")


def _undo(request: HttpRequest, catalogue_import: CatalogueImport) -> str:
    undo.undo_import(catalogue_import, get_signed_in_user(request.user))
    return gettext("Import undone. The catalogue is as it was before.")


decide = _step("decide", _decide)
apply = _step("apply", _apply)
again = _step("again", _again)
throw_away = _step("throw_away", _throw_away)
undo_import = _step("undo_import", _undo)
