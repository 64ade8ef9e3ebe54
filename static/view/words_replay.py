"""What the replay and the proofs say, in Vietnamese. Sentences about a run come from the engine, not from here."""

TITLE = "Phát lại lần chạy"
PLAY, PAUSE = "Phát", "Tạm dừng"
FIRST, BACK, FORWARD, LAST = "Về đầu", "Lùi một thời điểm", "Tới một thời điểm", "Đến cuối"
SPEED = "Tốc độ"
FOLLOW = "Theo"
INSTANT = "Thời điểm"
SAID = "Việc xảy ra ở thời điểm này, và vì sao"
RESTING = "Bấm Phát để xem lần chạy này diễn ra: từng yêu cầu đi qua các ô, từng quyết định của scheduler và lý do."
LOADING = "Đang lấy các thời điểm của lần chạy."
NOT_COME = "Engine vừa khởi động lại nên chưa lấy được. Bấm lần nữa."
OLD = "Lần chạy trước."
SIMULATED = "mô phỏng"

PROVING = "Đang tính hai vế."
PROVED = "✓ Hai vế bằng nhau."
DISPROVED = "✕ Hai vế khác nhau."
ROUNDING = "Chênh lệch cỡ 1e-15 là sai số làm tròn của số thực 64 bit: cùng phép tính, cộng theo thứ tự khác."


def value_text(time, step):
    """Of the slider: "16.20 ms mô phỏng, bước 8"."""
    return time + " " + SIMULATED + (", bước " + str(step) if step else "")


def answered(id, tokens):
    """The last tokens that a request has been given."""
    return " " + id + " đã nhận: " + tokens
