"""The two sides of each proof agree, are computed apart, and a wrong side would be seen."""
import json
from dataclasses import replace

import numpy as np
import pytest

from inference_lab import proofs
from inference_lab.config import Config
from inference_lab.lab import run
from inference_lab.proofs import PROOFS, Watched, prove, watched
from inference_lab.reports.trees import bare
from inference_lab.service import Service


@pytest.fixture(scope="module")
def course():
    return run(Config())


@pytest.mark.parametrize("id, rows", [("cached", 41), ("paged", 41), ("chunked", 26), ("batched", 41), ("policies", 36)])
def test_both_sides_agree_in_the_course_s_run(course, id, rows):
    # 41 = 15 + 14 + 12 positions; 26 = 6 + 11 + 9 prompt tokens; 36 = 18 tokens against two other policies
    proof = prove(id, course)
    assert proof["passed"] and len(proof["table"]["rows"]) == rows and proof["note"] == ""
    assert proof["table"]["rows"][0][0] == "C"
    assert [proof["table"]["rows"][i][4] != "0" for i in proof["table"]["marked"]] == [True] * ("lệch" in proof["largest"])


def test_nobody_was_preempted_and_it_says_what_to_do(course):
    assert prove("preempted", course) | {"note": ""} == dict(id="preempted", left="bị preempt rồi tính lại", right="bể 12 block, không ai bị preempt",
                                                            note="", largest="", passed=None, table=None)


def test_preempted_requests_against_a_pool_with_room():
    proof = prove("preempted", run(Config.of({"POOL_BLOCKS": 5})))
    assert proof["passed"] and {row[0] for row in proof["table"]["rows"]} == {"B", "C"}


def test_a_wrong_row_is_found_and_named(course, monkeypatch):
    class Wrong(Watched):
        def finish(self, request):
            super().finish(request)
            if request.id == "B":
                lived = self.lived["B"]
                logits = lived.logits.copy()
                logits[3, 7] += 0.5
                self.lived["B"] = replace(lived, logits=logits)

    monkeypatch.setattr(proofs, "Watched", Wrong)
    proof = prove("cached", course)
    assert not proof["passed"] and proof["largest"] == "41 cặp giá trị, lệch nhiều nhất 5.0e-01, ở B vị trí 3."
    [marked] = proof["table"]["marked"]
    assert proof["table"]["rows"][marked][:2] == ("B", "vị trí 3") or proof["table"]["rows"][marked][:2] == ["B", "vị trí 3"]


def test_a_different_token_is_found_and_named(course):
    *others, main = course.traces
    b = main.find("B")
    wrong = replace(main, served=tuple(replace(s, output_ids=(9, *s.output_ids[1:])) if s is b else s for s in main.served))
    proof = prove("policies", replace(course, traces=(*others, wrong)))
    assert not proof["passed"] and proof["largest"].startswith("36 cặp token, khác nhau từ B token 1")


def test_tokens_with_backticks_are_shown_as_they_were_written():
    made = run(Config.of(dict(REQUESTS=[dict(id="A", arrival=0, text="`x`", max_new=3)], FOLLOW="A", CORPUS=["`x` `x`"], N_MERGES=3)))
    said = [made.tokenizer.vocabulary[id] for id in made.main.find("A").output_ids]
    rows = prove("policies", made)["table"]["rows"]
    assert [bare(row[2]) for row in rows] == said * 2 and any("`" in token for token in said)


def test_what_is_watched_is_the_run_itself(course):
    lived = watched(course)
    assert list(lived) == ["C", "A", "B"]
    for id, one in lived.items():
        served = course.main.find(id)
        assert one.tokens == served.prompt_ids + served.output_ids and one.blocks == served.blocks and len(one.logits) == served.computed


def test_keys_come_out_of_their_blocks_in_the_order_of_positions(course):
    lived = watched(course)["C"]
    assert lived.keys.shape == (2, 12, 4) and not np.array_equal(lived.keys[:, 0], lived.keys[:, 4])
    assert [row[1] for row in prove("paged", course)["table"]["rows"][3:6]] == ["vị trí 3 · block 3, ô 3", "vị trí 4 · block 4, ô 0", "vị trí 5 · block 4, ô 1"]


def test_a_run_with_a_learner_s_parts_says_that_it_cannot_be_done_again():
    made = run(Config(), cost=lambda config, prefill, decode: 100)
    assert all(prove(id, made)["note"] == proofs.OWN_PARTS for id in PROOFS)


def test_long_tables_keep_the_largest_difference():
    requests = [dict(id=f"R{i:02}", arrival=0, text="xin chao model", max_new=9, seed=i) for i in range(30)]
    proof = prove("cached", run(Config.of(dict(REQUESTS=requests, FOLLOW="R00", QUEUE_LIMIT=50))))
    assert len(proof["table"]["rows"]) == 200 and proof["table"]["omitted"] > 0 and all(i < 200 for i in proof["table"]["marked"])


def test_the_worker_answers():
    service = Service()
    ok = json.loads(service.answer("run", "{}"))["ok"]
    for id in PROOFS:
        answer = json.loads(service.answer("proof", json.dumps({"key": ok["key"], "constants": ok["constants"], "id": id})))["ok"]
        assert answer["id"] == id and answer["key"] == ok["key"]
