"""The sentences of the controls: what is wrong with a field, what a link brought, what can be taken back.

In: names and figures as text. Out: text.
"""

LONGEST_ID = 40  # characters; what has more cannot be a request's name, and is not called by it

EMPTY = "Ô đang trống. Hãy nhập một số."
ONLY_SIGN = "Mới có dấu, chưa có chữ số. Hãy nhập đủ số."
ODD = "Đây là số lẻ. Hãy nhập một số chẵn."
TOO_LARGE = "Hãy giảm giá trị."
TOO_SMALL = "Hãy tăng giá trị."
NOT_FINITE = "Đây không phải một số tính được. Hãy nhập một số cụ thể."
OTHER_BASE = "Lab chỉ đọc số thập phân. Hãy viết lại bằng các chữ số 0 đến 9."
COMMA = "Lab dùng dấu chấm cho phần thập phân và không dùng dấu phẩy, ví dụ 0.5 hoặc 1000. Hãy viết lại."
EXPONENT = "Lab không đọc cách viết với e. Hãy viết đủ các chữ số."
NO_NUMBER = "Đây không phải một số. Hãy chỉ gõ chữ số."

NO_CORPUS = "CORPUS đang trống: cần ít nhất một câu có chữ. Hãy viết mỗi câu một dòng."
LAST_REQUEST = "Đây là yêu cầu cuối cùng, nên không xóa được: lab cần ít nhất một yêu cầu."

WAS_RESET = "Mọi hằng số và script đã về mặc định."
UNDONE = "Đã lấy lại như trước."
LINK_USED = "Trang đang dùng các giá trị trong liên kết."
WORK_KEPT = "Những gì bạn sửa trước đó vẫn còn: bấm Hoàn tác để lấy lại."
LINK_BRINGS_SCRIPT = "Liên kết này mang theo một script. Lab chưa chạy nó: hãy đọc ở mục Script, dưới các hằng số, rồi bấm Chạy nếu bạn muốn."
LINK_TROUBLES = {
    "later": "Liên kết này do một phiên bản sau của lab tạo ra nên không đọc được ở đây. Trang dùng giá trị mặc định.",
    "broken": "Không đọc được liên kết này. Trang dùng giá trị mặc định.",
    "long": "Liên kết này dài quá mức lab nhận. Trang dùng giá trị mặc định.",
}
LINK_COPIED = "Đã chép liên kết."
LINK_NOT_COPIED = "Trình duyệt không cho chép. Địa chỉ của trang chính là liên kết: hãy chép từ thanh địa chỉ."
LINK_NOT_COPIED_HERE = "Trình duyệt không cho chép ở đây."
COPY_IN_WHOLE_LAB = " Bấm «Mở cả lab» rồi chép từ thanh địa chỉ."
DEFAULTS_CHANGED = "Bản mới của lab đổi mặc định của {}. Bạn muốn giữ các giá trị cũ hay lấy mặc định mới? Những gì bạn đã sửa vẫn giữ nguyên."

CHANGED = "đã đổi"
NO_PRESET = "Cấu hình này không trùng mẫu nào. Bấm một mẫu để đổi sang cấu hình đó; «Hoàn tác» đưa bạn về lại đây."

STATUS_INVALID = "Có giá trị chưa hợp lệ nên lab chưa chạy lại. Lời nhắc đứng ngay dưới ô."
STATUS_STALE = "Bạn đã sửa cấu hình. Bấm Chạy để có số mới."


def bad_number(name, typed, allowed, trouble):
    shown = " = «" + typed + "»" if typed else ""
    return name + shown + ": cần " + allowed + ". " + trouble


def not_whole(head, tail):
    """3.0 and 1.000: the point may be meant either way."""
    if len(tail) == 3 and head:
        return "Dấu chấm ở đây là dấu thập phân. Nếu là hàng nghìn, hãy gõ " + head + tail + "."
    if tail.strip("0") == "":
        return "Hãy bỏ phần thập phân, gõ " + (head or "0") + "."
    return "Hãy bỏ phần thập phân."


def full_width(plain):
    return "Các chữ số này là chữ số toàn chiều rộng (full-width). Hãy gõ " + plain + "."


def underscores(plain):
    return "Hãy bỏ dấu gạch dưới, gõ " + plain + "."


def field_of_request(id, place, field):
    return ("Yêu cầu " + id if id.strip() and len(id) <= LONGEST_ID else "Yêu cầu thứ " + str(place)) + ": " + field


def preset_applied(label):
    return "Đã đặt theo mẫu «" + label + "»."


def nobody(id):
    shown = id if len(id) <= LONGEST_ID else id[:LONGEST_ID - 1] + "…"
    return "FOLLOW = «" + shown + "»: không có yêu cầu nào mang id này."


def unknown_names(names):
    return "Liên kết có phần mà lab không biết: " + ", ".join(names) + ". Lab bỏ qua phần đó."


def refused_values(sentences):
    return "Liên kết có giá trị không dùng được, nên lab giữ mặc định ở đó. " + " ".join(sentences)


def no_constant(name):
    return "Lab không có hằng số nào tên «" + name + "». Hãy dùng một tên trong bảng hằng số."


def wrong_kind(name):
    return name + ": giá trị không đúng kiểu. Hãy gửi một số cho hằng số số, một id cho FOLLOW, một danh sách câu cho CORPUS, một danh sách yêu cầu cho REQUESTS."


def computed_by_script(name):
    return name + ": script tính giá trị này, nên chỉ sửa được trong script."


def no_block(number, of):
    return "Lab không có khối " + str(number) + ": cần một số từ 1 đến " + str(of) + "."


def requests_left_out(count):
    return "… và " + str(count) + " yêu cầu nữa. Bảng chỉ hiện phần đầu; phần còn lại sửa trong script."


def changed_here(count):
    return str(count) + " đã đổi"


def follow_request(id):
    return "Theo dõi yêu cầu " + id


def remove_request(id):
    return "Xóa yêu cầu " + id


def cell_of_request(cell, id):
    return cell + " của yêu cầu " + id
