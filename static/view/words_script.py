"""The sentences around the script: what happened to its text, what it printed, why nothing is shown.

In: figures as text. Out: text.
"""

LABEL = "Script inference-end-to-end.py"
FILE = "inference-end-to-end.py"

LOADING = "Đang tải ô soạn script."
NOT_LOADED = "Không tải được ô soạn script. Hãy kiểm tra mạng, đóng phần này rồi mở lại."

TO_DEFAULT = "Đã về script mặc định. Các hằng số giữ giá trị bạn đã đặt."
IS_DEFAULT = "Đây đang là script mặc định, với các hằng số bạn đã đặt."
UNDONE = "Đã lấy lại script trước đó."
STATUS_NO_RUN = "Script đã chạy xong nhưng không để lại run, nên các khối không có số mới."
DEFAULT_PRINTS = "Script mặc định in ra đúng những gì có ở mục Bản in."
TOO_LONG = "Script dài hơn 100 000 ký tự nên lab không nhận: Chạy và các thanh trượt vẫn dùng bản ngay trước đó. Những gì bạn dán vẫn nằm nguyên trong ô soạn nhưng chưa được lưu; hãy rút ngắn lại."
NOTHING_PRINTED = "Script không in gì."
BEFORE_RUN = "Bấm Chạy để xem script in gì."


def opened_example(title, explanation):
    return "Ví dụ «" + title + "». " + explanation + " Bấm Chạy để chạy nó."


def printing(lines):
    """lines: how many so far, as text."""
    return "Script đang chạy và đã in " + lines + " dòng. Dưới đây là những dòng cuối."


def stopped(lines):
    return "Script đã bị dừng sau " + lines + " dòng. Dưới đây là những dòng cuối đã nhận được."
