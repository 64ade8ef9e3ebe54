// Ten questions to check oneself. A question with numbers has its answers computed from the lesson's data and is checked within a
// tolerance; the others have an answer to compare with, shown once the reader has written their own.
//
// In: the data of one_model_call.json. Out: plain records. Knows nothing of the page.
import { balance, endToEnd, gap, intensity, passSeconds, phases } from './cost.js';
import { percent, write } from './fields.js';

const TOLERANCE = 0.02;

/** -> [{ id, text, fields: [{ label, unit, answer, tolerance }], model }]; without fields the question is answered in words. */
export function questions({ machines: [gpu, cpu], workloads: [longIn, longOut] }) {
  const decodeOf = (machine) => phases(machine).at(-1);
  const slower = (change) => passSeconds(gpu, { ...gpu.ceilings, ...change }, 1) / passSeconds(gpu, gpu.ceilings, 1);
  const other = { compute_flop_s: 300e12, bandwidth_byte_s: 2000e9 };
  const [first] = phases(gpu);

  return [
    words('phases', 'Cùng một mô hình, cùng một card: vì sao prefill đi được hàng nghìn token mỗi giây, còn decode chỉ vài chục?',
      `Một lượt prefill đọc trọng số một lần cho cả prompt, nên mỗi byte đọc được dùng cho nhiều token. Một lượt decode cũng đọc đủ ${write(gpu.weights_gb)} GB ấy nhưng chỉ ra một token, và lượt sau phải đợi token của lượt trước.`),
    words('ttft', 'TTFT của một hệ cao bất thường. Hai đại lượng nào cho biết nguyên nhân, và mỗi trường hợp nên chữa thế nào?',
      'Thời gian chờ và thời gian prefill; chúng cộng lại thành TTFT (cùng với khâu chuẩn bị). Chờ lớn: hệ quá tải, hãy thêm chỗ chạy, thêm máy hoặc từ chối sớm. Prefill lớn: prompt dài, hãy rút ngắn, dùng lại phần đầu đã tính, hoặc chia đoạn.'),
    numbers('intensity', 'Sinh một token ở batch 1, trọng số bf16: mỗi byte đọc được dùng cho bao nhiêu phép tính? Vì sao số tham số không có trong đáp số?',
      [['Mật độ', 'FLOP/byte', intensity(1, 2)]],
      'Mỗi tham số cần 2 FLOP và chiếm 2 byte. Số tham số có ở cả tử lẫn mẫu nên rút gọn hết.'),
    numbers('balance', 'Một card khác có trần 300 TFLOP/s và 2 000 GB/s. Điểm cân bằng của nó ở đâu? Prompt phải dài cỡ nào thì prefill bf16 mới nghẽn ở tính toán?',
      [['Điểm cân bằng', 'FLOP/byte', balance(other)], ['Prompt', 'token', balance(other)]],
      `${write(balance(other))} FLOP/byte. Ở bf16, mật độ của prefill bằng số token, nên prompt phải dài hơn ${write(balance(other))} token: dài hơn ở card trong bài (${write(balance(gpu.ceilings), 1)}).`),
    words('short', 'Prefill 64 token trong bảng lại nghiêng về băng thông. Câu «prefill nghẽn ở tính toán» sai ở đâu, và nên nói lại thế nào?',
      `Câu ấy thiếu điều kiện. 64 nhỏ hơn điểm cân bằng ${write(balance(gpu.ceilings), 1)}: đạt ${percent(first.bandwidth_share)} trần băng thông nhưng chỉ ${percent(first.compute_share)} trần tính toán. Nói đúng: prefill thường nghẽn ở tính toán, vì prompt thật thường dài hơn điểm cân bằng.`),
    numbers('e2e', `Hệ A: ${write(longIn.prompt)} token vào, ${longIn.answer} token ra, TTFT ${longIn.ttft_s} s. Hệ B: ${longOut.prompt} vào, ${longOut.answer} ra, TTFT ${longOut.ttft_s} s. TPOT cả hai là 0.017 s. E2E của mỗi hệ?`,
      [['E2E của A', 's', endToEnd(longIn).e2e_s], ['E2E của B', 's', endToEnd(longOut).e2e_s]],
      `A: ${write(endToEnd(longIn).e2e_s, 2)} s, prefill chiếm ${percent(endToEnd(longIn).prefill_share, 0)}: rút prompt có ích. B: ${write(endToEnd(longOut).e2e_s, 1)} s, prefill chỉ ${percent(endToEnd(longOut).prefill_share)}: chỉ decode đáng sửa.`),
    numbers('double', 'Theo hai trần của card, TPOT ở batch 1 đổi còn bao nhiêu phần nếu tính toán nhanh gấp đôi? Nếu băng thông gấp đôi?',
      [['Tính toán ×2', 'lần', slower({ compute_flop_s: 2 * gpu.ceilings.compute_flop_s })], ['Băng thông ×2', 'lần', slower({ bandwidth_byte_s: 2 * gpu.ceilings.bandwidth_byte_s })]],
      'Lượt decode đợi đọc trọng số chứ không đợi tính, nên thêm sức tính không đổi gì; đọc nhanh gấp đôi thì mỗi token nhanh gấp đôi.'),
    words('p95', 'TPOT p95 gần gấp đôi p50 ở mọi dòng. Nêu một nguyên nhân hợp lý và cách kiểm chứng.',
      'Ví dụ: mỗi bước quay về Python và khởi động từng nhân tính toán, có bước bị chậm. Kiểm chứng: đo từng bước bằng profiler, hoặc chạy lại với CUDA graph hay một bộ máy phục vụ; nếu p95 hạ xuống gần p50 thì đúng. Bảng này một mình chưa đủ để kết luận.'),
    numbers('ceiling', `Trên CPU, trọng số ${cpu.weights_gb} GB được đọc ${cpu.decode_tok_s} lần mỗi giây. Đó là bao nhiêu GB/s, và bằng bao nhiêu phần trăm của trần đo bằng phép chép?`,
      [['Băng thông', 'GB/s', decodeOf(cpu).byte_s / 1e9], ['Phần của trần', '%', decodeOf(cpu).bandwidth_share * 100]],
      'Hơn 100 % không có nghĩa máy chạy quá sức: trần đã đo sai. Chép vừa đọc vừa ghi, decode gần như chỉ đọc. Trần đúng là một phép đo chỉ đọc, đọc theo kiểu decode đọc, như nhân ma trận với một vector.'),
    numbers('ratio', 'Điểm cân bằng của GPU gấp mấy lần CPU? Khoảng cách giữa hai pha (prompt 1 024) của GPU gấp mấy lần CPU?',
      [['Điểm cân bằng', 'lần', balance(gpu.ceilings) / balance(cpu.ceilings)], ['Khoảng cách hai pha', 'lần', gap(gpu, 1024) / gap(cpu, 1024)]],
      `Cùng hướng, cùng cỡ: ${write(balance(gpu.ceilings) / balance(cpu.ceilings), 1)} và ${write(gap(gpu, 1024) / gap(cpu, 1024), 1)} lần. Điểm cân bằng thấp thì prefill chạm trần tính toán sớm, nên hai pha gần nhau hơn. Tỉ lệ ấy là của một máy, không phải hằng số.`),
  ];
}

const words = (id, text, model) => ({ id, text, fields: [], model });
const numbers = (id, text, fields, model) =>
  ({ id, text, model, fields: fields.map(([label, unit, answer]) => ({ label, unit, answer, tolerance: TOLERANCE })) });

/** Whether a number is the answer, within its tolerance. */
export const isRight = ({ answer, tolerance }, value) => Math.abs(value - answer) <= tolerance * Math.abs(answer);
