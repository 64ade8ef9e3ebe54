"""What a sweep tries, asks, says and draws."""

import json

import figures
import learn_sweep
import words_learn as words
from example_learn import COST, FOLLOW, GATE, SLOTS

TTFT = ("ttft", "TTFT của C", "ms")
REFUSAL = {"error": {"errors": [{"message": "SLOTS = 3: cần khác."}], "message": "SLOTS = 3: cần khác."}}


def swept(*answers):
    sweep = learn_sweep.start(SLOTS, 2, TTFT, {"SLOTS": 2, "SEED": 9})
    for answer in answers:
        sweep = learn_sweep.answered(sweep, answer)
    return sweep


def figure(value, text):
    return {"ok": {"values": [value], "texts": [text]}}


THREE = (figure(36.5, "36.50 ms"), figure(22.0, "22.00 ms"), REFUSAL)


def test_a_short_range_is_tried_whole():
    assert learn_sweep.values_of(SLOTS, 2) == ((1, 2, 3, 4, 5, 6, 7, 8), 8)


def test_a_long_range_is_thinned_and_keeps_its_ends_and_the_present_value():
    values, of = learn_sweep.values_of(COST, 225)
    assert of == 101 and len(values) <= learn_sweep.MOST
    assert values[0] == 0 and values[-1] == 5000 and 225 in values and list(values) == sorted(values)
    sweep = learn_sweep.start(COST, 225, TTFT, {})
    assert learn_sweep.thinned(sweep) == "Khoảng này có 101 giá trị; lab quét " + str(len(values)) + " giá trị trải đều."
    assert learn_sweep.thinned(swept()) == ""


def test_decimal_steps_stay_exact():
    values, of = learn_sweep.values_of(GATE, 0.95)
    assert of == 101 and 0.95 in values and 0.3 in values
    assert [figures.number_text(one) for one in values[:4]] == ["0", "0.03", "0.06", "0.09"]
    assert json.loads(json.dumps(values[3])) == 0.09


def test_a_value_beyond_the_slider_is_tried_too():
    assert learn_sweep.values_of(SLOTS, 20)[0][-2:] == (8, 20)


def test_only_numbers_can_be_swept():
    assert learn_sweep.can_sweep(SLOTS) and not learn_sweep.can_sweep(FOLLOW)


def test_one_question_after_another_with_the_other_constants_as_they_are():
    sweep = swept()
    assert learn_sweep.asked(sweep) == {"constants": {"SEED": 9, "SLOTS": 1}, "metrics": ["ttft"]}
    assert learn_sweep.asked(swept(*THREE))["constants"]["SLOTS"] == 4
    assert learn_sweep.status(swept(*THREE)) == "Đang quét: 3/8"
    assert learn_sweep.asked(swept(*([THREE[0]] * 8))) is None


def test_a_fault_of_the_engine_ends_the_sweep_and_is_no_refusal():
    fault = {"error": {"constant": None, "message": "Trình thông dịch Python đã dừng giữa chừng.", "traceback": "x", "errors": []}}
    sweep = learn_sweep.answered(swept(*THREE[:2]), fault)
    assert learn_sweep.asked(sweep) is None and len(sweep.points) == 2
    assert learn_sweep.status(sweep) == words.sweep_stopped(2, len(sweep.values)) + " Trình thông dịch Python đã dừng giữa chừng."


def test_a_stopped_sweep_asks_no_more_and_keeps_its_points():
    sweep = learn_sweep.but(swept(*THREE), stopped=True)
    assert learn_sweep.asked(sweep) is None and len(sweep.points) == 3
    assert learn_sweep.status(sweep) == "Đã dừng ở 3/8 giá trị."


def test_the_end_counts_what_was_refused():
    sweep = swept(*(list(THREE) + [THREE[1]] * 5))
    assert learn_sweep.status(sweep) == "Đã quét 8 giá trị của SLOTS. 1 giá trị bị từ chối, để trống trên đường."


def test_points_say_their_figure_or_their_reason():
    sweep = swept(*THREE)
    assert learn_sweep.point_text(sweep, 1, 2) == "SLOTS = 2 (hiện tại): TTFT của C 22.00 ms"
    assert learn_sweep.point_text(sweep, 2, 2) == "SLOTS = 3: bị từ chối. SLOTS = 3: cần khác."


def test_a_curve_is_old_when_another_constant_changed():
    sweep = swept(*THREE)
    assert not learn_sweep.is_old(sweep, {"SLOTS": 7, "SEED": 9})
    assert learn_sweep.is_old(sweep, {"SLOTS": 7}) and learn_sweep.is_old(sweep, {"SEED": 8})


def test_the_chart_breaks_at_a_refusal_and_marks_the_present_value():
    options = learn_sweep.chart(swept(*THREE), 2, 600, 260)
    rule, note, line, dots, present, refused = options["marks"]
    assert rule[1] == [{"x": 2}] and note[2]["text"] == ["hiện tại"] and note[2]["textAnchor"] == "start" and present[1] == [{"x": 2, "y": 22.0}]
    assert line[1] == [{"x": 1, "y": 36.5}, {"x": 2, "y": 22.0}, {"x": 3, "y": None}]
    assert len(dots[1]) == 2 and refused[1] == [{"x": 3, "y": None}] and refused[2]["text"] == ["×"]
    assert options["y"]["label"] == "TTFT của C (ms)" and options["x"]["domain"] == [1, 8]


def test_a_value_without_a_figure_is_not_one_that_was_refused():
    gaps = learn_sweep.chart(swept(figure(None, "–"), THREE[1], REFUSAL), 7, 600, 260)["marks"][-1]
    assert [row["x"] for row in gaps[1]] == [1, 3] and gaps[2]["text"] == ["–", "×"]


def test_a_short_range_of_whole_numbers_has_a_tick_for_each_and_no_halves():
    axis = learn_sweep.chart(swept(*THREE), 2, 600, 260)["x"]
    assert (axis["ticks"], axis["tickFormat"]) == ([1, 2, 3, 4, 5, 6, 7, 8], "d")
    assert "ticks" not in learn_sweep.x_axis(learn_sweep.start(GATE, 0.95, TTFT, {}))
    assert "ticks" not in learn_sweep.x_axis(learn_sweep.start(COST, 200, TTFT, {}))
