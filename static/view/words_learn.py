"""What the parts that compare, sweep, ask and exercise say, in Vietnamese.

In: figures, names and sentences as text. Out: text. Sentences about a result come from the engine, not from here.
"""

# What changed

TITLE = "Có gì đổi"
STRIP = "Số chính của lần chạy; thời gian là ms mô phỏng"
SIMULATED = "Mọi thời gian ở đây và ở dải số là ms mô phỏng."
PIN = "Ghim làm mốc"
UNPIN = "Bỏ ghim"
DEFAULTS = "mặc định"
PINNED = "Đã ghim lần chạy này làm mốc. Những lần chạy sau được so với nó."
AGAINST_LAST = "so với lần chạy trước"
FIRST_RUN = "Đây là lần chạy đầu tiên, chưa có gì để so. Đổi một hằng số rồi chạy lại, hoặc ghim lần này làm mốc."
MORE_CAUSES = "Thêm {} nhận xét"
CAME = "thêm"
WENT = "bỏ"
BETTER = "Tốt hơn"
WORSE = "Kém hơn"
IN_PANELS = "Khối có số đổi"

# Of the strip, where there is room for a word or two; the engine's whole label goes with each.
SHORT = {
    "served": "Phục vụ",
    "refused_429": "Mã 429",
    "refused_400": "Mã 400",
    "worst_gap": "Đứng lâu nhất",
    "peak_blocks": "Block KV đỉnh",
    "preemptions": "Preempt",
    "agreement": "Đồng thuận",
}

ARROWS = {"up": "▲", "down": "▼", "same": "", "new": "●", "gone": "○"}
SPOKEN = {
    "up": "tăng, trước là {}",
    "down": "giảm, trước là {}",
    "same": "không đổi",
    "new": "mới có, trước là {}",
    "gone": "không còn, trước là {}",
}
JUDGED = {"better": "tốt hơn", "worse": "kém hơn", "neutral": ""}


def against(pinned_name):
    """The name of the baseline, "" for the run before."""
    return "so với mốc: " + pinned_name if pinned_name else AGAINST_LAST


def of_script(name):
    """name: of the constants that a script ran with."""
    return "script, " + name


def and_more(count):
    return " và " + str(count) + " hằng số nữa"


def spoken(direction, old, judged):
    """A change for those who hear the page."""
    tail = JUDGED[judged]
    return SPOKEN[direction].format(old) + (", " + tail if tail else "")


def marks(count):
    return str(count) + " thay đổi"


def more_changes(count):
    return "Thêm " + str(count) + " thay đổi"


def marks_left_out(count):
    return "… và " + str(count) + " thay đổi nữa, không hiện ở đây."


def panel_changes(baseline):
    return "Đổi " + baseline


# Sweep

SWEEP = "Quét: chạy lab với mọi giá trị của một hằng số"
SWEEP_IDEA = "Lab chạy lần lượt từng giá trị, các hằng số khác giữ như hiện tại, rồi vẽ một số đo thành đường."
SWEEP_SCRIPT = "Quét chỉ dùng các hằng số, không dùng phần bạn tự viết trong script."
SWEEP_CONSTANT = "Hằng số"
SWEEP_METRIC = "Số đo"
SWEEP_START = "Quét"
SWEEP_AGAIN = "Quét lại"
SWEEP_STOP = "Dừng quét"
SWEEP_PROGRESS = "Tiến độ quét"
SWEEP_OLD = "Đường cũ: một hằng số khác đã đổi từ khi quét. Bấm Quét lại để vẽ theo giá trị hiện tại."
SWEEP_TABLE = "Số của từng điểm"
SWEEP_PRESENT = "hiện tại"
SWEEP_REFUSED = "bị từ chối"
SWEEP_CHART = "Đường quét: mũi tên trái, phải đi từng điểm"
SWEEP_HINT = "Rê chuột hoặc chạm vào đường để đọc từng điểm; bấm vào đường rồi thì phím mũi tên cũng được."
NO_CHART = "Không tải được phần vẽ đường. Bảng dưới đây vẫn đủ số."


def sweep_progress(done, of):
    return "Đang quét: " + str(done) + "/" + str(of)


def sweep_stopped(done, of):
    return "Đã dừng ở " + str(done) + "/" + str(of) + " giá trị."


def sweep_done(done, refused, constant):
    text = "Đã quét " + str(done) + " giá trị của " + constant + "."
    return text + (" " + str(refused) + " giá trị bị từ chối, để trống trên đường." if refused else "")


def sweep_impossible(names):
    return "Chưa quét: giá trị của " + ", ".join(names) + " chưa hợp lệ. Sửa rồi bấm lại."


def sweep_thinned(shown, of):
    return "Khoảng này có " + str(of) + " giá trị; lab quét " + str(shown) + " giá trị trải đều."


def sweep_point(constant, value, metric, text, present):
    note = " (" + SWEEP_PRESENT + ")" if present else ""
    return constant + " = " + value + note + ": " + metric + " " + text


def sweep_refused_point(constant, value, reason):
    return constant + " = " + value + ": " + SWEEP_REFUSED + ". " + reason


# Predict first

NOT_GUESSED = "Bạn chưa đoán câu này."
GUESSED_RIGHT = "✓ Đúng."
GUESSED_WRONG = "✕ Chưa đúng."


def right_choice(text):
    return "Lần chạy cho thấy: " + text + ". "


def guess_score(right, guessed):
    return "đúng " + str(right) + "/" + str(guessed) + " câu đã đoán"


def guess_count(guessed, of):
    return "đã đoán " + str(guessed) + "/" + str(of)


# Exercises

EXERCISE_NEW = "chưa làm"
EXERCISE_BEGUN = "đang làm"
EXERCISE_SOLVED = "✓ xong"
GUESS_FIRST = "Đoán trước:"
CHECK = "Kiểm tra lần chạy này"
ANSWER = "Xem đáp án"
ANSWER_TITLE = "Đáp án"
ANSWER_LATER = "Đáp án mở ra sau khi bạn chạy thử một lần, hoặc sau ba gợi ý."
NO_RUN = "Chưa có lần chạy nào. Đổi hằng số rồi bấm Chạy."
SCRIPT_RUN = "Lần chạy này đến từ script của bạn. Bài tập chỉ kiểm tra lần chạy bằng các hằng số."
OLD_RUN = "Bạn đã đổi hằng số sau lần chạy này. Bấm Chạy rồi kiểm tra."
CHECKING = "Đang kiểm tra."
NO_VERDICT = "Engine vừa khởi động lại nên chưa kiểm tra được. Bấm Kiểm tra lần nữa."
PREDICTED_RIGHT = "✓ Bạn đã đoán đúng câu hỏi ở trên."
PREDICTED_WRONG = "✕ Câu đoán ở trên chưa đúng. Đáp án nói vì sao."
PREDICTION = "Câu đoán trước:"
LESSON = "Rút ra:"


def open_constant(name):
    return "Mở " + name


def exercise_tried(count):
    return "đã thử " + str(count) + " lần"


def exercises_score(solved, of):
    return str(solved) + "/" + str(of) + " bài xong."


def hint_button(shown, of):
    return "Gợi ý " + str(min(shown + 1, of)) + "/" + str(of)
