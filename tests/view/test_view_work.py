"""What the learner sets: each test is a story of edits, and what a run, a link and the storage then hold."""

import json

import words_controls as words
import work as works
import work_edits as edits
from example_controls import DATA, TABLE
from work_events import step


def after(*events, start=works.START):
    work = start
    for event in events:
        work = step(work, event, TABLE)
    return work


def run_of(work):
    return json.loads(works.run_text(work, TABLE) + "}")


NOTHING_READ = {"values": {}, "computed": [], "missing": [], "errors": []}  # of a program that sets no constant


def shown(work):
    return works.shown_troubles(work, works.own_troubles(work, TABLE))


def test_nothing_set_is_an_empty_run_and_an_empty_link():
    assert works.run_text(works.START, TABLE) == '{"constants": {}'
    assert works.link(works.START, TABLE) == {"set": []}
    assert not works.is_set(works.START)


def test_only_what_differs_is_sent_in_the_tables_order():
    work = after(("typed", "QUALITY_GATE", "0.90"), ("typed", "SLOTS", "3"), ("typed", "COST", "0200"))
    assert works.run_text(work, TABLE) == '{"constants": {"SLOTS": 3, "QUALITY_GATE": 0.9}'
    assert works.link(work, TABLE) == {"set": [["SLOTS", "3"], ["QUALITY_GATE", "0.9"]]}


def test_the_default_typed_again_is_no_change():
    work = after(("typed", "SLOTS", "3"), ("typed", "SLOTS", "+2"))
    assert not works.is_set(work)


def test_what_is_wrong_is_kept_and_said_once_the_field_is_left():
    work = after(("typed", "SLOTS", "0,5"))
    assert works.text_of(work, TABLE, "SLOTS") == "0,5" and shown(work) == {}
    work = after(("left", "SLOTS"), start=work)
    assert "SLOTS" in shown(work)["SLOTS"] and "0,5" in shown(work)["SLOTS"]
    work = after(("typed", "SLOTS", "5"), start=work)
    assert shown(work) == {} and run_of(work) == {"constants": {"SLOTS": 5}}


def test_chay_shows_every_trouble():
    work = after(("typed", "SLOTS", ""), ("typed", "COST", "x"), ("run_asked",))
    assert sorted(shown(work)) == ["COST", "SLOTS"]


def test_a_bad_value_is_not_in_the_link():
    work = after(("typed", "SLOTS", "99"), ("typed", "COST", "100"))
    assert works.link(work, TABLE) == {"set": [["COST", "100"]]}


def test_a_reset_brings_one_constant_back():
    work = after(("typed", "SLOTS", "3"), ("typed", "COST", "x"), ("left", "COST"), ("reset_one", "COST"))
    assert run_of(work) == {"constants": {"SLOTS": 3}} and shown(work) == {}


def test_steps_of_a_field_stay_within_the_range():
    share, cost = TABLE.by_name["QUALITY_GATE"], TABLE.by_name["COST"]
    assert works.stepped("0.95", share, 1) == "0.96" and works.stepped("0.9", share, 1) == "0.91" and works.stepped("1", share, 1) == "1"
    assert works.stepped("0.01", share, -1) == "0" and works.stepped("0", share, -1) == "0" and works.stepped("0.99", share, 1) == "1"
    assert works.stepped("200", cost, 1) == "250" and works.stepped("20", cost, -1) == "20"


def test_sentences_of_the_corpus_are_lines():
    work = after(("corpus_typed", "xin chao\n\n  \nban"))
    assert run_of(work) == {"constants": {"CORPUS": ["xin chao", "ban"]}}
    assert works.link(work, TABLE)["corpus"] == ["xin chao", "ban"]
    assert not works.is_set(after(("corpus_typed", "xin chao\nban hoc"), start=work))
    empty = after(("corpus_typed", " \n"), ("left", "CORPUS"))
    assert shown(empty) == {"CORPUS": words.NO_CORPUS}


def test_a_cell_of_a_request_is_read_with_the_name_of_the_request():
    work = after(("cell_typed", 1, "top_p", "0"), ("left", "REQUESTS:1:top_p"))
    assert "Yêu cầu C: top_p" in shown(work)["REQUESTS:1:top_p"]
    work = after(("cell_typed", 1, "top_p", "0.5"), start=work)
    assert shown(work) == {}
    sent = run_of(work)["constants"]["REQUESTS"]
    assert sent[1] == {"id": "C", "arrival": 1000, "text": "ban hoc", "max_new": 8, "temperature": 0.8, "top_k": 5, "top_p": 0.5, "seed": 4}
    assert not works.is_set(after(("cell_typed", 1, "top_p", "0.90"), start=work))


def test_requests_are_added_removed_and_followed():
    work = after(("request_added",))
    assert [row[0] for row in works.requests_of(work, TABLE)] == ["A", "C", "B"]
    work = after(("request_removed", 1), start=work)
    assert works.follow_of(work, TABLE) == "A" and run_of(work)["constants"]["FOLLOW"] == "A"
    work = after(("followed", "B"), start=work)
    assert works.link(work, TABLE)["follow"] == "B"
    assert after(("reset_one", "REQUESTS"), start=work) == works.START


def test_a_new_name_of_the_followed_request_is_followed():
    work = after(("cell_typed", 1, "id", "khách"))
    assert run_of(work)["constants"]["FOLLOW"] == "khách" and run_of(work)["constants"]["REQUESTS"][1]["id"] == "khách"


def test_the_last_request_stays():
    work = after(("request_removed", 0), ("request_removed", 0))
    assert len(works.requests_of(work, TABLE)) == 1 and work.notice == (works.PLAIN, words.LAST_REQUEST)


def test_a_request_gets_the_first_free_letter():
    assert edits.free_id([("A",), ("C",)]) == "B"
    assert edits.free_id([(chr(65 + i),) for i in range(26)]) == "R27"


def test_what_contradicts_is_said_at_both_and_mended_at_either():
    error = {"constant": "D_MODEL", "request": None, "message": "D_MODEL = 10 nhưng D_HEAD = 4: hai số phải khớp."}
    work = after(("typed", "D_MODEL", "10"), ("refused", [error]))
    assert sorted(shown(work)) == ["D_HEAD", "D_MODEL"] and works.own_troubles(work, TABLE) == []
    assert shown(after(("typed", "D_HEAD", "6"), start=work)) == {}
    assert shown(after(("typed", "SLOTS", "3"), start=work)) == shown(work)
    assert shown(after(("accepted", {}), start=work)) == {}


def test_a_name_inside_a_longer_one_is_not_named():
    error = {"constant": "COST", "message": "COST = 0 và COST_MORE = 0, xem D_HEAD."}
    assert edits.places_of(error, TABLE) == ("COST", "D_HEAD")


def test_what_the_engine_refuses_in_a_request_is_said_at_its_cell_too():
    error = {"constant": "REQUESTS", "request": "A", "cell": [1, "id"], "message": "Yêu cầu thứ 2: id = 'A'."}
    assert shown(after(("cell_typed", 1, "id", "A"), ("refused", [error]))) == {"REQUESTS": error["message"], "REQUESTS:1:id": error["message"]}
    assert edits.places_of(dict(error, cell=[1, "maxnew"]), TABLE) == ("REQUESTS",)
    for read in (dict(NOTHING_READ, computed=["REQUESTS"]), dict(NOTHING_READ, missing=["REQUESTS"])):  # rows that the page does not know
        work = after(("cell_typed", 1, "id", "A"), ("script_edited", "x = 1", read, True), ("refused", [error]))
        assert shown(work) == {"REQUESTS": error["message"]}


def test_a_reset_of_all_can_be_taken_back():
    work = after(("typed", "SLOTS", "3"), ("typed", "COST", "x"), ("script_edited", "x = 1", {"values": {}, "computed": [], "missing": [], "errors": []}, True))
    gone = after(("reset_all",), start=work)
    assert not works.is_set(gone) and gone.notice[0] == works.UNDO
    back = after(("undo",), start=gone)
    assert (back.typed, back.script) == ({"SLOTS": "3", "COST": "x"}, "x = 1")


def test_what_was_reset_can_be_taken_back_after_more_edits_too():
    work = after(("typed", "SLOTS", "3"), ("preset", 2), ("typed", "COST", "50"), ("undo",))
    assert run_of(work) == {"constants": {"SLOTS": 3}}


def test_of_several_presets_in_turn_the_learners_own_values_come_back():
    work = after(("typed", "SLOTS", "7"), ("preset", 1), ("preset", 2))
    assert run_of(after(("undo",), start=work)) == {"constants": {"SLOTS": 7}}
    work = after(("typed", "SLOTS", "5"), ("preset", 1), start=work)
    assert run_of(after(("undo",), start=work))["constants"]["SLOTS"] == 5


def test_an_id_that_is_another_request_s_for_a_moment_does_not_take_its_place():
    typed = [("cell_typed", 0, "id", text) for text in ("C", "CA")]
    assert works.follow_of(after(*typed), TABLE) == "C"
    assert works.follow_of(after(("cell_typed", 1, "id", "X")), TABLE) == "X"  # the followed one itself has another name
    through = [("cell_typed", 1, "id", text) for text in (works.requests_of(works.START, TABLE)[0][0], "AB")]
    assert works.follow_of(after(*through), TABLE) == "AB"


def test_what_was_set_since_comes_back_after_an_undo_too():
    work = after(("typed", "SLOTS", "3"), ("reset_all",), ("typed", "SLOTS", "5"), ("undo",))
    assert run_of(work) == {"constants": {"SLOTS": 3}} and work.notice == (works.UNDO, words.UNDONE)
    assert run_of(after(("undo",), start=work)) == {"constants": {"SLOTS": 5}}
    work = after(("typed", "SLOTS", "5"), ("preset", 2), ("undo",))
    assert work.notice == (works.PLAIN, words.UNDONE) and work.before is None  # a preset is one press away


def test_presets_are_known_by_their_values():
    for i, work in enumerate((works.START, after(("typed", "SLOTS", "3")), after(("preset", 2)))):
        assert works.preset_of(works.run_text(work, TABLE), TABLE) == i
    assert works.preset_of(works.run_text(after(("typed", "SLOTS", "4")), TABLE), TABLE) == -1
    assert works.preset_of("", TABLE) == -1


READ = {"values": {"SLOTS": 3, "QUALITY_GATE": 0.5, "CORPUS": ["a b"], "FOLLOW": "A"}, "computed": ["COST"], "missing": ["D_HEAD"], "errors": []}


def test_an_edit_of_the_script_moves_the_fields():
    work = after(("typed", "D_HEAD", "6"), ("script_edited", "SLOTS = 3 …", READ, False))
    assert work.script is None
    assert run_of(work) == {"constants": {"SLOTS": 3, "QUALITY_GATE": 0.5, "CORPUS": ["a b"], "FOLLOW": "A"}}


def test_a_program_of_the_learners_own_is_what_runs():
    work = after(("script_edited", "SLOTS = 3\nprint('a')", READ, True))
    assert run_of(work) == {"constants": {}, "script": "SLOTS = 3\nprint('a')"}
    assert works.text_of(work, TABLE, "SLOTS") == "3" and work.computed == ("COST",)
    assert works.link(work, TABLE) == {"script": "SLOTS = 3\nprint('a')"}
    work = after(("typed", "SLOTS", "4"), ("script_rewritten", "SLOTS = 4\nprint('a')"), start=work)
    assert run_of(work)["script"].startswith("SLOTS = 4")


def test_a_number_in_quotes_is_no_number():
    work = after(("script_edited", "SLOTS = '3'", dict(READ, values={"SLOTS": "3", "COST": True}), False))
    assert sorted(place for place, _ in works.own_troubles(work, TABLE)) == ["COST", "SLOTS"]


def test_what_a_script_computes_is_shown_after_the_run():
    work = after(("script_edited", "COST = 2 * 75", READ, True), ("accepted", {"COST": 150, "SLOTS": 3}))
    assert works.text_of(work, TABLE, "COST") == "150" and run_of(work)["constants"] == {}


def test_requests_of_a_script_come_with_their_defaults():
    read = {"values": {"REQUESTS": [{"id": "A", "arrival": 0, "text": "xin", "max_new": 3}]}, "computed": [], "missing": [], "errors": []}
    work = after(("script_edited", "…", read, False))
    assert works.requests_of(work, TABLE) == (("A", "0", "xin", "3", "0", "0", "1", "0"),)


def test_a_link_sets_what_it_says_and_leaves_the_rest():
    found = {"trouble": "", "state": {"set": [["SLOTS", "3"], ["COST", "100"]], "follow": "A"}, "unknown": []}
    work = after(("typed", "D_MODEL", "10"), ("linked", found))
    assert run_of(work) == {"constants": {"SLOTS": 3, "COST": 100, "FOLLOW": "A"}} and work.notice is None


def test_a_link_that_is_no_good_gives_defaults_and_a_sentence():
    for trouble in ("broken", "later", "long"):
        work = after(("linked", {"trouble": trouble, "state": {}, "unknown": []}))
        assert not works.is_set(work) and "mặc định" in work.notice[1]


def test_values_of_a_link_that_are_no_good_are_left_out_and_named():
    found = {"trouble": "", "state": {"set": [["SLOTS", "999"], ["__proto__", "1"], ["COST", "100"]], "follow": "<img>"}, "unknown": ["x<y"]}
    work = after(("linked", found))
    assert run_of(work) == {"constants": {"COST": 100}}
    for part in ("SLOTS", "999", "__proto__", "x<y", "<img>"):
        assert part in work.notice[1], part


def test_of_a_link_a_blank_corpus_is_refused_and_a_long_name_is_cut():
    found = {"trouble": "", "state": {"corpus": [" ", ""], "follow": "x" * 15000}, "unknown": []}
    work = after(("linked", found))
    assert not works.is_set(work) and "CORPUS" in work.notice[1] and "x" * 39 + "…»" in work.notice[1] and len(work.notice[1]) < 300


def test_requests_of_a_link_are_all_taken_or_none():
    good = [["A", "0", "xin", "5", "0", "0", "1", "1"]]
    work = after(("linked", {"trouble": "", "state": {"requests": good, "follow": "A"}, "unknown": []}))
    assert works.requests_of(work, TABLE) == (tuple(good[0]),) and works.follow_of(work, TABLE) == "A"
    bad = good + [["B", "0", "xin", "0", "0", "0", "1", "1"]]
    work = after(("linked", {"trouble": "", "state": {"requests": bad}, "unknown": []}))
    assert not works.is_set(work) and "max_new" in work.notice[1]


def test_a_link_over_stored_work_can_be_taken_back():
    old = after(("typed", "SLOTS", "5"))
    found = {"trouble": "", "state": {"set": [["SLOTS", "3"]]}, "unknown": []}
    work = after(("linked", found), ("replaced", old))
    assert run_of(work) == {"constants": {"SLOTS": 3}} and work.notice[0] == works.UNDO
    assert run_of(after(("undo",), start=work)) == {"constants": {"SLOTS": 5}}
    same = after(("linked", found), ("replaced", after(("typed", "SLOTS", "3"))))
    assert same.notice is None


def test_a_copied_link_is_said_and_can_be_dismissed_and_takes_no_way_back_away():
    work = after(("press_answered", words.LINK_COPIED))
    assert work.notice == (works.PLAIN, words.LINK_COPIED)
    assert after(("dismissed",), start=work).notice is None
    work = after(("typed", "SLOTS", "3"), ("reset_all",), ("press_answered", words.LINK_COPIED), ("press_answered", words.LINK_COPIED))
    assert work.notice == (works.UNDO, words.WAS_RESET + " " + words.LINK_COPIED)


def test_a_script_of_a_link_waits_for_chay():
    work = after(("script_brought", "print(1)", NOTHING_READ))
    assert work.waits and work.notice == (works.PLAIN, words.LINK_BRINGS_SCRIPT)
    edited = after(("script_edited", "print(2)", NOTHING_READ, True), ("typed", "SLOTS", "3"), ("script_rewritten", "print(3)"), start=work)
    assert edited.waits
    assert not after(("script_edited", "", NOTHING_READ, False), start=edited).waits  # the default script again
    work = after(("run_asked",), start=work)
    assert not work.waits and work.notice is None


def test_what_the_script_of_a_link_replaced_can_be_taken_back_even_after_it_was_run():
    old = after(("typed", "SLOTS", "12x"), ("script_edited", "print(0)", NOTHING_READ, True))
    found = {"trouble": "", "state": {"script": "print(1)"}, "unknown": []}
    work = after(("linked", found), ("replaced", old), ("script_brought", "print(1)", NOTHING_READ))
    assert work.notice == (works.UNDO, words.LINK_BRINGS_SCRIPT + " " + words.WORK_KEPT)
    work = after(("run_asked",), start=work)
    assert work.notice == (works.UNDO, words.WORK_KEPT)
    work = after(("undo",), start=work)
    assert (work.script, works.text_of(work, TABLE, "SLOTS")) == ("print(0)", "12x")


PINNED = {"key": "k", "constants": {"SLOTS": 3}, "name": "SLOTS 3"}


def through_storage(work):
    return after(("stored", json.loads(json.dumps(works.plain(work, TABLE)))))


def test_what_is_stored_comes_back_as_it_was_typed():
    work = after(("typed", "SLOTS", "0,5"), ("corpus_typed", "a\nb"), ("cell_typed", 0, "text", "xin <b>"), ("live", False), ("keep", "predictions", {"a": "b"}), ("pin", PINNED))
    back = through_storage(work)
    assert (back.typed, back.corpus, back.requests, back.live, back.kept, back.pinned) == (work.typed, work.corpus, work.requests, False, {"predictions": {"a": "b"}}, PINNED)
    assert "SLOTS" in shown(back)


def test_spoiled_storage_is_not_believed():
    for found in ({"v": 1}, {"v": 1, "typed": {"SLOTS": 3, "nobody": "1"}, "requests": [["A"]], "corpus": 5, "kept": None}):
        assert not works.is_set(after(("stored", found)))


def test_whatever_part_of_the_storage_is_spoiled_the_others_are_read():
    good = json.loads(json.dumps(works.plain(after(("typed", "SLOTS", "3"), ("keep", "predictions", {"a": "b"}), ("pin", PINNED)), TABLE)))
    for spoiled in (None, 5, "x", [1], {"x": 1}, [[1, 2]], ["abcdefgh"], {"typed": [1], "corpus": 5, "requests": [None], "key": 5}):
        for name in good:
            work = after(("stored", dict(good, **{name: spoiled})))
            kept = [one for one in ("typed", "pinned", "kept") if one != name]
            assert [getattr(work, one) for one in kept] == [good[one] for one in kept] and work.notice is None, (name, spoiled)


def test_a_script_that_waits_says_so_after_a_reload_too():
    back = through_storage(after(("script_brought", "print(1)", NOTHING_READ), ("typed", "SLOTS", "3")))
    assert back.waits and back.notice == (works.PLAIN, words.LINK_BRINGS_SCRIPT)
    assert not after(("stored", {"v": 1, "waits": True})).waits


def test_what_is_kept_in_another_tab_is_taken_over_and_nothing_else():
    work = after(("typed", "SLOTS", "3"), ("keep", "exercises", {"slots": [1], "queue": [2]}))
    both = after(("kept_elsewhere", {"exercises": {"queue": [3]}, "predict": {"a": "b"}, "spoiled": 5}), start=work)
    assert both.kept == {"exercises": {"slots": [1], "queue": [3]}, "predict": {"a": "b"}} and both.typed == work.typed
    for nothing_new in (both.kept, None, [1]):
        assert after(("kept_elsewhere", nothing_new), start=both) is both


def test_new_defaults_are_for_the_learner_to_decide():
    stored = json.loads(json.dumps(works.plain(after(("typed", "SLOTS", "3")), TABLE)))
    stored["defaults"]["typed"]["COST"] = "150"
    work = after(("stored", stored))
    assert work.notice[0] == works.DEFAULTS and "COST" in work.notice[1]
    assert run_of(work) == {"constants": {"SLOTS": 3}}
    assert run_of(after(("keep_mine",), start=work)) == {"constants": {"SLOTS": 3, "COST": 150}}
    taken = after(("take_new",), start=work)
    assert run_of(taken) == {"constants": {"SLOTS": 3}} and taken.notice is None


def test_new_defaults_do_not_matter_to_who_set_nothing():
    stored = json.loads(json.dumps(works.plain(works.START, TABLE)))
    stored["defaults"]["typed"]["COST"] = "150"
    assert after(("stored", stored)).notice is None


def test_a_step_never_changes_the_work_it_was_given():
    work = after(("typed", "SLOTS", "3"), ("keep", "a", 1))
    before = json.dumps([sorted(work.typed), sorted(work.kept)])
    after(("typed", "COST", "1"), ("keep", "b", 2), ("reset_one", "SLOTS"), start=work)
    assert json.dumps([sorted(work.typed), sorted(work.kept)]) == before
    assert DATA["constants"][0]["text"] == "2"


def test_the_values_for_a_script_are_the_good_ones_that_differ():
    assert works.values_text(works.START, TABLE) == "[]"
    work = after(("typed", "SLOTS", "3"), ("typed", "QUALITY_GATE", "-"))
    assert json.loads(works.values_text(work, TABLE)) == [["SLOTS", 3]]


def test_a_text_of_a_script_is_made_of_the_constants_and_the_program_alone():
    work = after(("typed", "SLOTS", "3"))
    assert works.basis(after(("live", False), start=work)) == works.basis(work)
    assert works.basis(after(("typed", "SLOTS", "4"), start=work)) != works.basis(work)


def test_a_program_is_quoted_as_json_has_it():
    for text in ("", "xin chào", 'a "b" \\ c\n\td\r\x00\x1f', "e\u0302\u0301 🙂", "'#{}'"):
        assert json.loads(works.quoted(text)) == text
