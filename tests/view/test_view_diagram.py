"""The diagram's moves, groups and frames, on a drawing small enough to check on paper.

    A B      A (10, 10)  B (60, 10)
    C        C (10, 50)             each 30 wide, 20 high, in a drawing of 100 by 80
"""

import diagram
import words

DATA = {
    "size": [100, 80],
    "flow": [["A-1", 10, 10, 30, 20], ["B-1", 60, 10, 30, 20], ["C-1", 10, 50, 30, 20]],
    "focus": [["ttft", "Token đầu chậm.", ["A-1", "C-1"]], ["scale", "Cần thêm GPU.", ["B-1"]]],
    "topologies": [["together", ""], ["apart", "Hai cụm."]],
}
START = diagram.start(DATA)


def at(id):
    return diagram.but(START, here=id)


def test_it_starts_whole_at_the_first_cell_of_the_flow():
    assert START == ("", "together", True, "A-1", (0, 0, 100, 80))


def test_left_and_right_follow_the_flow_and_stop_at_its_ends():
    assert diagram.after(at("A-1"), "ArrowRight", DATA) == "B-1"
    assert diagram.after(at("B-1"), "ArrowRight", DATA) == "C-1"
    assert diagram.after(at("C-1"), "ArrowRight", DATA) == "C-1"
    assert diagram.after(at("B-1"), "ArrowLeft", DATA) == "A-1"
    assert diagram.after(at("A-1"), "ArrowLeft", DATA) == "A-1"


def test_home_and_end_are_the_ends_of_the_flow():
    assert diagram.after(at("B-1"), "Home", DATA) == "A-1"
    assert diagram.after(at("B-1"), "End", DATA) == "C-1"


def test_up_and_down_go_to_the_nearest_cell_of_another_row():
    assert diagram.after(at("A-1"), "ArrowDown", DATA) == "C-1"
    assert diagram.after(at("C-1"), "ArrowUp", DATA) == "A-1"   # straight above, nearer than B
    assert diagram.after(at("B-1"), "ArrowDown", DATA) == "C-1"  # the only one below
    assert diagram.after(at("C-1"), "ArrowDown", DATA) == "C-1"
    assert diagram.after(at("B-1"), "ArrowUp", DATA) == "B-1"


def test_a_focus_lights_its_cells_and_the_same_button_puts_it_out():
    state = diagram.pressed(START, "ttft")
    assert diagram.lit(state, DATA) == ["A-1", "C-1"]
    assert diagram.lit(diagram.pressed(state, "scale"), DATA) == ["B-1"]
    assert diagram.lit(diagram.pressed(state, "ttft"), DATA) == []


def test_the_note_says_why_or_what_the_topology_does_or_what_it_said_at_rest():
    assert diagram.note(START, DATA, "Nghỉ.") == "Nghỉ."
    apart = diagram.but(START, topology="apart")
    assert diagram.note(apart, DATA, "Nghỉ.") == "Hai cụm. " + words.TRADE
    assert diagram.note(diagram.pressed(apart, "ttft"), DATA, "Nghỉ.") == "Token đầu chậm. Ô: A·1, C·1."


def test_zooming_keeps_the_point_under_the_pointer():
    near = diagram.zoomed((0, 0, 100, 80), (100, 80), 2, (20, 20))
    assert near == (10, 10, 50, 40)  # 20 is a fifth of the width before, and after: 10 + 50/5
    assert diagram.zoomed((0, 0, 100, 80), (100, 80), 2) == (25, 20, 50, 40)


def test_zooming_ends_at_the_whole_and_at_the_most():
    assert diagram.zoomed((25, 20, 50, 40), (100, 80), 0.1) == (0, 0, 100, 80)
    assert diagram.zoomed((0, 0, 100, 80), (100, 80), 1000)[2] == 100 / diagram.MOST
    assert diagram.is_whole((0, 0, 100, 80), (100, 80))
    assert not diagram.is_whole((25, 20, 50, 40), (100, 80))


def test_the_frame_never_leaves_the_drawing():
    assert diagram.panned((25, 20, 50, 40), (100, 80), 1000, -1000) == (50, 0, 50, 40)
    assert diagram.panned((0, 0, 100, 80), (100, 80), 5, 5) == (0, 0, 100, 80)


def test_a_cell_is_brought_into_view_by_the_least_move():
    assert diagram.revealing((0, 0, 50, 40), (100, 80), diagram.box("B-1", DATA)) == (48, 0, 50, 40)  # 60 less the margin of 12
    assert diagram.revealing((0, 0, 100, 80), (100, 80), diagram.box("C-1", DATA)) == (0, 0, 100, 80)
    assert diagram.least(100, 150, 0, 300) == 0
    assert diagram.least(5, 55, 0, 300) == -7      # 5 less the margin of 12
    assert diagram.least(280, 330, 0, 300) == 42   # 330 and the margin, less 300
    assert diagram.least(20, 500, 0, 300) == 8     # wider than the window: its start is shown


def test_a_drawing_that_is_scrolled_grows_around_a_point_and_fills_its_frame():
    assert diagram.widened(600, 1.5, 390) == 900
    assert diagram.widened(600, 0.1, 390) == 390
    assert diagram.widened(600, 100, 390) == 390 * diagram.MOST
    # the point at 150 lies in the middle of a drawing from 0 to 300; grown to 600, its middle is at 300
    assert diagram.stay(150, (0, 300), (0, 600)) == 150
    assert diagram.stay(150, (-150, 600), (-150, 300)) == -150  # the middle is at 0 now


def overlap(corner, size, cell):
    return corner[0] < cell[2] and corner[0] + size[0] > cell[0] and corner[1] < cell[3] and corner[1] + size[1] > cell[1]


def test_a_note_stands_below_its_cell_or_above_when_there_is_no_room():
    assert diagram.place((400, 100, 500, 150), (320, 200), (1000, 700)) == (290, 156, 200)
    assert diagram.place((400, 600, 500, 650), (320, 200), (1000, 700)) == (290, 394, 200)


def test_a_note_keeps_off_the_edges_and_off_its_cell():
    size, window = (320, 200), (1000, 700)
    for left in range(0, 900, 50):
        for top in range(0, 650, 25):
            cell = (left, top, left + 100, top + 50)
            corner = diagram.place(cell, size, window)
            assert not overlap(corner, size, cell)
            assert corner[0] >= 0 and corner[0] + size[0] <= window[0]
            assert corner[1] >= 0 and corner[1] + size[1] <= window[1]


def test_in_a_low_window_a_note_stands_beside_its_cell():
    assert diagram.place((100, 150, 200, 200), (320, 200), (1000, 300)) == (206, 94, 200)
    assert diagram.place((600, 150, 700, 200), (320, 200), (1000, 300)) == (274, 94, 200)


def test_where_no_side_has_room_a_note_gets_what_the_larger_one_has():
    assert diagram.place((50, 100, 450, 250), (320, 200), (500, 400)) == (90, 256, 138)  # 400 − 250 less two gaps of 6
    assert diagram.place((50, 150, 450, 300), (320, 200), (500, 400)) == (90, 6, 138)


def test_beside_a_small_drawing_a_note_covers_none_of_it():
    assert diagram.place((20, 100, 60, 120), (320, 200), (1000, 700), 180) == (186, 100, 200)
    assert diagram.place((20, 100, 60, 120), (320, 200), (400, 700), 180)[1] == 126  # no room beside it


def test_a_figure_that_is_too_long_becomes_smaller():
    assert diagram.fitting("12", 80) == 12.5
    assert diagram.fitting("", 80) == 12.5
    small = diagram.fitting("1000 nhận · 30 × 429", 80)
    assert small < 12.5 and abs(diagram.em("1000 nhận · 30 × 429") * small - 80) < 0.001
