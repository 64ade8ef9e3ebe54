// The page for course authors: fields to a choice, a choice to a snippet, a preview and this page's own address.
//
// What was typed stays in its field. Only good values enter the choice, so the snippet is always one that works. The snippet follows every
// key; the preview follows when a field is left, since each change of it loads the lab anew.
import { byId, el } from '../lesson/dom.js';
import { readNumber, write } from '../lesson/fields.js';
import { answerQuestions } from '../offline/page.js';
import { HEIGHT, hidden, hideable, quarrels, readChoice, writeChoice } from './choice.js';
import { readConstant } from './constants.js';
import { createPreview } from './preview.js';
import { matches } from './search.js';
import { attributes, snippet } from './snippet.js';

const LOG_LINES = 60;
const ABOUT = {
  element: 'Phần tử tự cao theo nội dung và báo sự kiện. Người đọc bị chặn script thì thấy liên kết.',
  iframe: 'Trang của bạn không cần script nào. Chiều cao cố định; hệ thống có H5P resizer thì tự co giãn.',
  link: 'Dòng đầu: liên kết thẳng đến phần này. Dòng sau: địa chỉ cho hệ thống nhận oEmbed, luôn theo cấu hình mặc định.',
};

const ABOUT_CONSTANTS = {
  all: 'Để nguyên thì lab chạy cấu hình của bài học. «Ẩn» bỏ ô khỏi trang nhúng, người đọc không đổi được.',
  some: 'Phần này chỉ hiện vài ô. Ô bạn đặt giá trị ở đây cũng hiện, trừ khi bạn chọn «Ẩn».',
  none: 'Sơ đồ không hiện ô nào, nhưng khi chạy thì theo các giá trị đặt ở đây.',
};

const offer = JSON.parse(byId('offer').textContent);
const base = new URL('./', document.baseURI).href;
const unitOf = (id) => offer.units.find((one) => one.id === id);
const inputOf = (name) => byId(`constant-${name}`);
const all = (selector) => [...document.querySelectorAll(selector)];

const homes = all('[data-constant]').map((row) => [row, row.parentElement]);

const { choice, problems, typed } = readChoice(location.search, offer);
const wrong = new Map(); // name of a field -> its sentence

// ── From the choice to the page ──

function fill() {
  for (const radio of all('input[name="unit"]')) radio.checked = radio.value === choice.unit;
  for (const name of ['as', 'width']) for (const radio of all(`input[name="${name}"]`)) radio.checked = radio.value === choice[name];
  for (const row of offer.constants) inputOf(row.name).value = String(choice.set[row.name] ?? row.default);
  for (const name of ['follow', 'theme']) byId(name).value = choice[name];
  for (const name of ['autorun', 'sandbox']) byId(name).checked = choice[name];
  byId('height').value = choice.height ?? '';
  wrong.clear();
  for (const [name, text] of Object.entries(typed)) inputOf(name).value = text;
  for (const name of Object.keys(typed)) judge(name);
}

function showUnit() {
  const unit = unitOf(choice.unit);
  byId('thumbnail').src = new URL(unit.thumbnail.path, base).href;
  byId('unit-about').textContent = unit.about;
  byId('unit-needs').textContent = `${unit.minutes} phút. ${unit.needs.length ? `Nên học trước: ${unit.needs.map((id) => unitOf(id).title).join('; ')}.` : 'Không cần học gì trước.'}`;
  byId('constants-about').textContent = unit.controls === null ? ABOUT_CONSTANTS.all : unit.controls.length ? ABOUT_CONSTANTS.some : ABOUT_CONSTANTS.none;
  for (const [row, group] of homes) (unit.controls?.includes(row.dataset.constant) ? byId('own-constants') : group).append(row);
  for (const fold of all('.constant-group')) fold.hidden = !fold.querySelector('[data-constant]');
}

/** What can be hidden depends on the unit and on what is set. */
function showHidden() {
  const able = hideable(choice, offer);
  const now = hidden(choice, offer);
  for (const box of all('[data-hide]')) {
    box.disabled = !able.includes(box.dataset.hide);
    box.checked = now.includes(box.dataset.hide);
  }
  const parts = offer.parts.filter((name) => able.includes(name));
  byId('hide-parts').hidden = !parts.length;
  for (const name of offer.parts) document.querySelector(`[data-hide="${name}"]`).closest('label').hidden = !parts.includes(name);
  byId('hide-all').hidden = !constantNames().length;
  byId('hide-all').textContent = allHidden() ? 'Hiện lại mọi ô' : 'Ẩn mọi ô';
}

function showSnippet() {
  byId('snippet').textContent = snippet(choice, unitOf(choice.unit), offer, base);
  byId('snippet-about').textContent = ABOUT[choice.as];
  byId('snippet-says').textContent = wrong.size ? 'Có ô chưa đúng, lời nhắc đứng dưới ô. Đoạn mã giữ các giá trị tốt gần nhất.' : '';
  for (const fold of all('.constant-group')) {
    const names = [...fold.querySelectorAll('[data-constant]')].map(({ dataset }) => dataset.constant);
    const said = [[names.filter((name) => name in choice.set).length, 'đã đổi'], [names.filter((name) => hidden(choice, offer).includes(name)).length, 'ẩn'], [names.filter((name) => wrong.has(name)).length, 'chưa đúng']];
    fold.querySelector('.group-changed').textContent = said.filter(([count]) => count).map(([count, what]) => `${count} ${what}`).join(', ');
  }
}

/** The address says what is chosen; a frame that may not change it works without. */
function showAddress() {
  try {
    history.replaceState(null, '', `${location.pathname}?${writeChoice(choice, offer)}`);
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
  }
}

function showPreview() {
  preview.width(choice.width);
  preview.show([...attributes(choice, unitOf(choice.unit), offer), ['loading', 'eager']]);
}

function changed({ settled }) {
  showHidden();
  showSnippet();
  if (!settled) return;
  showAddress();
  showPreview();
}

// ── From the fields to the choice ──

function say(name, sentence) {
  const [input, place] = [name === 'height' ? byId('height') : inputOf(name), byId(`problem-${name}`)];
  if (sentence) wrong.set(name, sentence);
  else wrong.delete(name);
  if (place.textContent !== sentence) place.textContent = sentence;
  if (sentence) input.setAttribute('aria-invalid', 'true');
  else input.removeAttribute('aria-invalid');
}

/** A constant's field: a good value enters the choice unless it contradicts another one; then all that are involved say so. */
function judge(name) {
  const { problem } = readConstant(inputOf(name).value, offer.constants.find((one) => one.name === name));
  if (problem) return say(name, problem);
  const reads = offer.constants.map((row) => ({ row, ...readConstant(inputOf(row.name).value, row) }));
  const set = {}; // what stands in the fields; where that is no good by itself, what is in force
  for (const { row, value = choice.set[row.name] } of reads) if (value !== undefined && value !== row.default) set[row.name] = value;
  const found = quarrels(set, offer);
  for (const { row, problem: own } of reads) {
    if (own) continue;
    const quarrel = found.find(({ names }) => names.includes(row.name));
    say(row.name, quarrel?.problem ?? '');
    if (quarrel) continue;
    if (row.name in set) choice.set[row.name] = set[row.name];
    else delete choice.set[row.name];
  }
}

function takeHeight() {
  const text = byId('height').value;
  const { value, problem } = text.trim() === '' ? { value: null } : readNumber(text, HEIGHT);
  say('height', problem ?? '');
  if (!problem) choice.height = value;
}

/** Constants whose fields can be hidden. */
const constantNames = () => hideable(choice, offer).filter((name) => !offer.parts.includes(name));
const allHidden = () => constantNames().every((name) => choice.hide.includes(name));

/** What a field says enters the choice. -> whether it is one of the choice's fields */
function take(field) {
  if (field.name === 'unit') {
    choice.unit = field.value;
    showUnit();
  } else if (field.name === 'as' || field.name === 'width') choice[field.name] = field.value;
  else if (field.dataset.hide) choice.hide = [...choice.hide.filter((name) => name !== field.dataset.hide), ...(field.checked ? [field.dataset.hide] : [])];
  else if (field.id === 'follow' || field.id === 'theme') choice[field.id] = field.value;
  else if (field.id === 'autorun' || field.id === 'sandbox') choice[field.id] = field.checked;
  else if (field.id === 'height') takeHeight();
  else if (field.closest('[data-constant]')) judge(field.closest('[data-constant]').dataset.constant);
  else return false;
  return true;
}

function find() {
  const asked = byId('search').value;
  for (const group of all('.unit-group')) {
    for (const label of group.querySelectorAll('.unit-choice')) {
      const unit = unitOf(label.querySelector('input').value);
      label.hidden = !matches(`${unit.title} ${unit.about} ${unit.id}`, asked);
    }
    group.hidden = !group.querySelector('.unit-choice:not([hidden])');
  }
  const count = all('.unit-choice:not([hidden])').length;
  byId('found').textContent = asked.trim() === '' ? '' : count ? `${count} phần khớp.` : `Không có phần nào khớp «${asked.trim().slice(0, 40)}». Hãy tìm bằng ít chữ hơn.`;
}

async function copy() {
  try {
    if (!navigator.clipboard) throw new DOMException('no clipboard', 'NotAllowedError');
    await navigator.clipboard.writeText(byId('snippet').textContent);
    byId('snippet-says').textContent = 'Đã chép.';
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    getSelection().selectAllChildren(byId('snippet'));
    byId('snippet').focus();
    byId('snippet-says').textContent = 'Trình duyệt không cho chép. Đoạn mã đã được chọn: bấm Ctrl + C.';
  }
}

function log(type, detail) {
  const list = byId('events');
  const time = new Date().toLocaleTimeString('vi', { hour12: false });
  list.append(el('li', {}, `${time} `, el('b', {}, type), ` ${JSON.stringify(detail)}`));
  while (list.childElementCount > LOG_LINES) list.firstElementChild.remove();
  byId('event-log').scrollTop = byId('event-log').scrollHeight;
}

// ── Begin ──

const preview = createPreview(byId('preview'), new URL('embed.js', base).href, log);
preview.loaded.catch(() => {
  byId('preview-says').textContent = `Không tải được ${new URL('embed.js', base).href}. Hãy tải lại trang; đoạn mã bên dưới vẫn đúng.`;
});

new ResizeObserver(([{ contentRect }]) => {
  const [width, height] = [contentRect.width, contentRect.height].map((px) => write(Math.round(px)));
  byId('preview').setAttribute('aria-label', `Trang nhúng, ${width} × ${height} px`);
}).observe(document.querySelector('.preview-room'));

fill();
showUnit();
showHidden();
const chosen = document.querySelector('.unit-choice:has(:checked)');
byId('units').scrollTop = chosen.offsetTop - byId('units').clientHeight / 2;
byId('problems').replaceChildren(...problems.map((text) => el('li', {}, text)));
byId('problems').hidden = problems.length === 0;
byId('csp').textContent = `script-src ${new URL(base).origin}; frame-src ${new URL(base).origin}`;
for (const fold of all('.constant-group:not(#own-constants)')) fold.open = Boolean(fold.querySelector('[aria-invalid]')) || [...fold.querySelectorAll('[data-constant]')].some(({ dataset }) => dataset.constant in choice.set);
showSnippet();
showPreview();

document.querySelector('.workbench').addEventListener('input', ({ target }) => {
  if (target.id === 'search') find();
  else if (take(target)) changed({ settled: false });
});
document.querySelector('.workbench').addEventListener('change', ({ target }) => target.id !== 'search' && changed({ settled: true }));
byId('choices').addEventListener('submit', (event) => event.preventDefault());
byId('hide-all').addEventListener('click', () => {
  const names = constantNames();
  choice.hide = [...choice.hide.filter((name) => !names.includes(name)), ...(allHidden() ? [] : names)];
  changed({ settled: true });
});
byId('reset').addEventListener('click', () => {
  Object.assign(choice, readChoice(`unit=${choice.unit}`, offer).choice);
  for (const name of Object.keys(typed)) delete typed[name];
  for (const name of [...wrong.keys()]) say(name, '');
  fill();
  changed({ settled: true });
});
byId('copy').addEventListener('click', copy);
byId('clear-events').addEventListener('click', () => byId('events').replaceChildren());
byId('preview-run').addEventListener('click', () => preview.run());
answerQuestions();
