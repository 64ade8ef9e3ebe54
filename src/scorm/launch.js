// The launch page of the SCORM package: holds the lab in a frame, hears its messages, and tells the LMS what is solved.
//
// SETTINGS (filled in by scripts/scorm.mjs): { lab: the lab's address, exercises: [ids that count] }.
import { connect } from './lms.js';
import { after, read, score, status, timespan, write } from './progress.js';

const { lab, exercises } = SETTINGS;
const LAB = 'inference-lab';
const STATUS = 'cmi.core.lesson_status';
const DONE = ['passed', 'completed'];
const INTERACTIONS = 'cmi.interactions';

const element = (id) => document.getElementById(id);
const say = (id, text) => { element(id).textContent = text; };

const began = performance.now();
let finished = false;

const lms = connect((call, code) => say('trouble', `LMS không nhận «${call}» (mã lỗi ${code}). Hãy báo người quản trị khóa học.`));
const records = lms !== null && lms.read('cmi.core.lesson_mode') !== 'review' && lms.read('cmi.core.lesson_mode') !== 'browse';
const mastery = lms ? number(lms.read('cmi.student_data.mastery_score')) : null;
let progress = read(lms?.read('cmi.suspend_data') ?? '', exercises);

function number(text) {
  return text.trim() === '' || Number.isNaN(Number(text)) ? null : Number(text);
}

function show() {
  say('progress', `Đã giải ${progress.solved.length}/${exercises.length} bài tập: ${score(progress, exercises)} điểm${mastery === null ? '' : `, cần ${mastery}`}.`);
  if (!lms) say('lms', 'Trang này không ở trong một LMS: lab vẫn chạy, nhưng kết quả không được ghi.');
  else if (!records) say('lms', 'LMS mở bài ở chế độ xem lại: kết quả không được ghi.');
  else if (finished) say('lms', 'Bài đã được đóng với LMS: từ đây kết quả không được ghi. Hãy mở lại bài từ LMS.'); // leaving was called off
  else say('lms', 'Kết quả được ghi vào LMS.');
}

/** Everything that the LMS is to know, and at once: nobody knows when a learner closes the window. */
function tell() {
  lms.write('cmi.core.score.raw', score(progress, exercises));
  tellStatus();
  lms.write('cmi.suspend_data', write(progress));
  lms.write('cmi.core.session_time', timespan(performance.now() - began));
  lms.keep();
}

/** What was reached once is not taken back; «failed» is the LMS's word for whoever left before the end. */
function tellStatus() {
  if (!DONE.includes(lms.read(STATUS))) lms.write(STATUS, status(progress, exercises, mastery));
}

function begin() {
  if (!records) return;
  lms.write('cmi.core.exit', 'suspend'); // keep suspend_data for the next launch
  tellStatus();
  lms.offer('cmi.core.score.min', 0);
  lms.offer('cmi.core.score.max', 100);
  lms.keep();
}

function noteInteraction({ id, correct }) {
  const count = number(lms.read(`${INTERACTIONS}._count`));
  if (count === null) return; // an LMS need not have them
  const now = new Date().toTimeString().slice(0, 8);
  for (const [name, value] of Object.entries({ id, type: 'performance', time: now, result: correct ? 'correct' : 'wrong' })) {
    lms.offer(`${INTERACTIONS}.${count}.${name}`, value);
  }
}

function leave() {
  if (finished || !lms) return;
  finished = true;
  if (records) {
    lms.write('cmi.core.session_time', timespan(performance.now() - began));
    lms.keep();
  }
  lms.finish();
  show();
}

const frame = element('lab');
const HEAR = {
  hello() {},
  height({ height }) {
    if (height > 0) frame.style.height = `${Math.round(height)}px`;
  },
  exercise(detail) {
    if (!exercises.includes(detail.id)) return;
    progress = after(progress, detail, exercises);
    show();
    if (!records || finished) return;
    noteInteraction(detail);
    tell();
  },
};

addEventListener('message', ({ source, origin, data }) => {
  if (source !== frame.contentWindow || origin !== location.origin || data?.lab !== LAB || data.v !== 1) return;
  if (Object.hasOwn(HEAR, data.type)) HEAR[data.type](data.detail ?? {});
});
addEventListener('pagehide', leave);
addEventListener('beforeunload', leave); // some LMSs take away their API before pagehide
addEventListener('pageshow', ({ persisted }) => persisted && location.reload());

show();
frame.src = lab;
begin();
