"""Every sentence that the view itself says, in Vietnamese.

In: figures as text. Out: text. Sentences about a run's results come from the engine, not from here.
"""

BOOTING = "Đang tải. Bạn bấm Chạy ngay bây giờ cũng được."
BOOTING_WANTED = "Đang tải. Lab sẽ chạy ngay khi tải xong."
RESTING = "Engine chưa chạy. Nó khởi động khi khung này vào tầm mắt, hoặc khi bạn bấm Chạy."
RESTARTING = "Đã dừng. Đang khởi động lại."
READY = "Sẵn sàng. Hãy đoán trước, rồi bấm Chạy."
READY_WITHOUT_GUESS = "Sẵn sàng. Bấm Chạy để có số."
READY_AGAIN = "Sẵn sàng chạy lại."
RUNNING = "Đang chạy."
TROUBLE = "Có lỗi. Chi tiết ở ngay dưới."
NOTHING_TO_STOP = "Không có gì đang chạy."
CLEARED = "Đã xóa kết quả. Bấm Chạy để chạy lại."

BEFORE_RUN = "Mỗi khối dưới đây nói trước nó sẽ cho bạn thấy gì. Bấm Chạy để có số."
TRANSCRIPT_BEFORE = "Toàn bộ lần chạy dưới dạng chữ: đầu vào, 13 khối, phần tổng kết, và dòng PASS hoặc FAIL. Bấm Chạy để có bản in."
TRANSCRIPT_AFTER = "Toàn bộ lần chạy dưới dạng chữ. Các số giống hệt trong các khối ở trên."

COPY = "Sao chép"
COPIED = "Đã sao chép."
NOT_COPIED = "Trình duyệt không cho sao chép. Hãy bôi đen đoạn chữ rồi sao chép bằng tay."
TRADE = "Ô viền đứt là ô đổi việc. Được gì, mất gì: đọc ngay dưới sơ đồ."
READ_ABOUT = "Đọc bài về ô này"
CLOSE = "Đóng"
SOURCE_LOADING = "Đang lấy mã."
SOURCE_WAITING = "Mã sẽ hiện ra khi engine tải xong."
TRACEBACK = "Chi tiết lỗi của Python"
RUN_ADVICE = "Bấm Chạy để thử lại, hoặc Đặt lại để xóa kết quả."
CONSTANT_ADVICE = "Sửa giá trị rồi bấm Chạy."
SCRIPT_ADVICE = "Sửa script rồi bấm Chạy. Những gì bạn viết vẫn còn nguyên."
TO_LINE = "Đến dòng {}"
KEPT_ADVICE = "Kết quả của lần chạy trước vẫn còn bên dưới."
CRASHED = "Engine dừng đột ngột giữa lần chạy và đang tự khởi động lại. Khi có chữ «Sẵn sàng», hãy bấm Chạy."

TITLE_OF_PROBLEM = {
    "file": "Không tải được {}",
    "input": "Giá trị chưa hợp lệ",
    "engine": "Engine gặp lỗi",
    "script": "Script dừng vì lỗi",
    "crash": "Engine đã dừng",
}


def boot_step(share, label, loaded, total):
    """share "3/6", label "NumPy", bytes as text ("" when unknown)."""
    size = " · " + loaded + " / " + total if total else ""
    return "Bước " + share + " · " + label + size


def done(passed, of):
    """passed, of: numbers of panels."""
    if passed == of:
        return "Đã chạy xong: " + str(of) + "/" + str(of) + " khối đạt."
    return "Đã chạy xong: " + str(of - passed) + "/" + str(of) + " khối không đạt."


def focus(why, cells):
    return why + " Ô: " + cells + "."


def source_place(file, line):
    return file + ", từ dòng " + str(line)
