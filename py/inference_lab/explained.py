"""What went wrong in a script, for somebody who is learning: one sentence in Vietnamese with the script's own line.

In: the exception and the script's text. Out: an `Explanation`. Python's own words stay, in brackets and in the traceback,
from which the frames above the script's first one are gone.
"""
import builtins
import difflib
import traceback
from dataclasses import dataclass

from .config import CONSTANTS, well_formed
from .default_script import FILE_NAME
from .errors import ConfigurationError, ExtensionError
from .script_constants import assigned

DETAIL = 300                    # characters of Python's own message in a sentence
TRACEBACK = 20_000              # characters of a traceback

#: Exception -> what it means and what to do. The nearest class of the exception's ancestry is taken.
SENTENCES = {
    "IndentationError": "thụt lề không đều. Hãy cho các dòng cùng một khối thụt vào bằng nhau, bằng dấu cách",
    "TabError": "lẫn dấu tab với dấu cách ở đầu dòng. Hãy chỉ dùng dấu cách",
    "SyntaxError": "Python không đọc được chỗ này. Hãy xem lại dấu ngoặc, dấu nháy, dấu phẩy, dấu hai chấm ở đây và ở dòng ngay trên",
    "NameError": "chưa có gì mang tên này. Hãy gán hoặc import nó trước, hay sửa lại tên",
    "UnboundLocalError": "biến này được gán trong hàm nhưng bị đọc trước khi gán. Hãy gán nó trước, hoặc truyền nó vào hàm",
    "AttributeError": "đối tượng không có thuộc tính này. Hãy xem lại tên sau dấu chấm",
    "TypeError": "kiểu dữ liệu hoặc số tham số không hợp. Hãy xem lại các giá trị ở dòng này",
    "ValueError": "giá trị không hợp lệ. Hãy xem lại các giá trị ở dòng này",
    "KeyError": "dict không có khóa này. Hãy xem lại tên khóa, hoặc dùng .get(…)",
    "IndexError": "chỉ số nằm ngoài danh sách. Chỉ số chạy từ 0 đến độ dài trừ 1",
    "ZeroDivisionError": "chia cho 0. Hãy kiểm tra số chia trước khi chia",
    "OverflowError": "con số quá lớn. Hãy dùng số nhỏ hơn",
    "MemoryError": "không đủ bộ nhớ. Hãy tạo danh sách hay mảng nhỏ hơn",
    "RecursionError": "hàm gọi lồng nhau quá sâu. Hãy thêm điều kiện dừng, hoặc viết bằng vòng lặp",
    "ModuleNotFoundError": "không có gói này ở đây. Có sẵn: NumPy và thư viện chuẩn của Python; gói thuần Python khác thì cài bằng micropip",
    "ImportError": "gói này không có tên được import. Hãy xem lại tên",
    "AssertionError": "điều kiện sau assert không đúng",
    "FileNotFoundError": "không có tệp này. Script chạy trong một thư mục riêng, không thấy tệp trên máy bạn",
    "OSError": "hệ điều hành không cho làm việc này. Trình duyệt không có mạng, tiến trình và tệp như trên máy thật",
    "InputUnavailable": "input() không dùng được ở đây vì không ai gõ vào script được. Hãy gán giá trị thẳng trong script",
    "StopIteration": "next(…) không còn phần tử nào. Hãy dùng vòng for, hoặc next(…, None)",
    "KeyboardInterrupt": "script tự dừng bằng KeyboardInterrupt",
    "Exception": "script gặp lỗi và dừng ở đây",
    "BaseException": "script dừng ở đây",
}
NO_THREADS = "không tạo được luồng (thread): trong trình duyệt script chỉ có một luồng. Hãy gọi hàm thẳng, không qua threading"


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    line: int | None                # of the script
    message: str
    traceback: str
    problems: tuple                 # of a ConfigurationError, else empty


def explained(error, text, names):
    """-> Explanation. `names`: what the script has defined."""
    line = line_of(error)
    problems = tuple(error.problems) if isinstance(error, ConfigurationError) else ()
    own = problems or isinstance(error, ExtensionError)              # it says by itself what to do
    if problems:
        line = line_that_sets(problems[0].constant, text) or line
    sentence = said(error) if own else f"{meaning(error, names)} ({python_says(error)})."
    where = f"Dòng {line}: " if line else ""
    return Explanation(line=line, message=well_formed(where + sentence), traceback=well_formed(traceback_of(error)), problems=problems)


def line_of(error):
    """The innermost line of the script; of text that Python cannot read, the line where it gave up."""
    if isinstance(error, SyntaxError) and error.filename == FILE_NAME:
        return error.lineno
    lines = [line for frame, line in traceback.walk_tb(error.__traceback__) if frame.f_code.co_filename == FILE_NAME]
    return lines[-1] if lines else None


def line_that_sets(constant, text):
    """The last line of the script's top level that assigns this constant, or None."""
    return assigned(text).get(constant) if constant in CONSTANTS else None


def meaning(error, names):
    if isinstance(error, RuntimeError) and "start new thread" in said(error):
        return NO_THREADS
    sentence = next(SENTENCES[kind.__name__] for kind in type(error).__mro__ if kind.__name__ in SENTENCES)
    if isinstance(error, NameError) and isinstance(error.name, str):
        near = difflib.get_close_matches(error.name, [name for name in (*names, *vars(builtins)) if isinstance(name, str)], n=1)
        return sentence + (f". Có phải bạn muốn viết {near[0]}?" if near else "")
    return sentence


def said(error):
    """Python's own words: of a SyntaxError without the file and line, of anything else str(error)."""
    try:
        text = str(error.msg if isinstance(error, SyntaxError) else error)
    except Exception as worse:                                      # an exception of the script's own
        text = f"str() của lỗi này lại gặp {type(worse).__name__}"
    return text if len(text) <= DETAIL else text[:DETAIL] + "…"


def python_says(error):
    text = said(error)
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def traceback_of(error):
    """As Python prints it, from the script's first line on."""
    frames = error.__traceback__
    while frames and frames.tb_frame.f_code.co_filename != FILE_NAME:
        frames = frames.tb_next
    text = "".join(traceback.TracebackException(type(error), error, frames).format())
    return text if len(text) <= TRACEBACK else text[:TRACEBACK // 2] + "\n…\n" + text[-TRACEBACK // 2:]
