// The editor of the script: CodeMirror 6 behind a handful of functions that take and give plain values.
//
// In: a parent element's id, texts, and functions to call. Out: an editor in that element, and its text,
// to `onChange(text)` at most every QUIET_MS and never while an input method composes.
// Nothing that comes from outside changes the text, the caret or the marks while an input method composes: it waits.
// Knows nothing of the page, of constants or of Python beyond its grammar.
import { defaultKeymap, history, historyKeymap, indentWithTab, isolateHistory } from '@codemirror/commands';
import { pythonLanguage } from '@codemirror/lang-python';
import { bracketMatching, indentUnit, syntaxHighlighting } from '@codemirror/language';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { Annotation, ChangeSet, EditorSelection, EditorState, Prec, StateEffect, StateField } from '@codemirror/state';
import {
  Decoration, EditorView, GutterMarker, WidgetType, gutter, highlightActiveLine, highlightActiveLineGutter, highlightSpecialChars, keymap, lineNumbers,
} from '@codemirror/view';
import { classHighlighter } from '@lezer/highlight';

const QUIET_MS = 150; // between the last key and onChange
const COMPOSED_MS = 60; // CodeMirror settles what was composed a little after the event
const MODIFIERS = new Set(['Shift', 'Control', 'Alt', 'Meta', 'Tab', 'Escape']);

const PHRASES = {
  Find: 'Tìm', Replace: 'Thay bằng', next: 'tiếp', previous: 'trước', all: 'tất cả', 'match case': 'phân biệt hoa thường', regexp: 'biểu thức chính quy',
  'by word': 'cả từ', replace: 'thay', 'replace all': 'thay hết', close: 'đóng', 'current match': 'chỗ đang chọn', 'on line': 'ở dòng',
  'replaced match on line $': 'đã thay ở dòng $', 'replaced $ matches': 'đã thay $ chỗ', 'Go to line': 'Đến dòng', go: 'đến', 'Control character': 'Ký tự điều khiển',
  'Selection deleted': 'Đã xóa phần chọn',
};

const fromOutside = Annotation.define();

/**
 * Makes the editor in the element `parentId`. `label`: its name for screen readers; `describedBy`: id of the hint.
 * onChange(text): what was written by hand; null when it has more than `longest` characters.
 * onRun(): Ctrl+Enter; the text has been given to onChange before.
 */
export function createEditor(parentId, text, { label, describedBy, longest, onChange, onRun }) {
  const parent = document.getElementById(parentId);
  const waiting = []; // what came from outside while an input method composed
  let pending = 0; // timer of onChange

  const view = new EditorView({ parent, state: EditorState.create({ doc: text, extensions: extensions() }) });
  let known = view.state.doc; // the text as the outside has it
  let unread = ChangeSet.empty(known.length); // what was written since, by hand
  let moving = false; // whether the last change was a control's

  function extensions() {
    return [
      lineNumbers(), problemGutter, problems, highlightSpecialChars(), highlightActiveLine(), highlightActiveLineGutter(), history(), bracketMatching(), search({ top: true }),
      highlightSelectionMatches(), pythonLanguage, syntaxHighlighting(classHighlighter), indentUnit.of('    '), EditorView.lineWrapping, EditorState.phrases.of(PHRASES),
      Prec.high(keymap.of([{ key: 'Mod-Enter', run: pressedRun }])),
      keymap.of([...defaultKeymap, ...historyKeymap, ...searchKeymap, indentWithTab]),
      EditorView.contentAttributes.of({ 'aria-label': label, 'aria-describedby': describedBy, tabindex: '0', translate: 'no' }),
      EditorView.updateListener.of(updated),
      EditorView.domEventObservers({ keydown: pressed, blur: left, compositionend: composed }),
    ];
  }

  function pressedRun() {
    flush();
    onRun();
    return true;
  }

  /** Tab indents. After Esc it leaves the editor instead, until another key is pressed. */
  function pressed(event) {
    if (event.key === 'Escape') view.setTabFocusMode(true);
    else if (!MODIFIERS.has(event.key)) view.setTabFocusMode(false);
  }

  function left() {
    view.setTabFocusMode(false);
    flush();
  }

  function updated({ docChanged, transactions }) {
    if (!docChanged) return;
    for (const one of transactions) {
      if (!one.docChanged) continue;
      moving = Boolean(one.annotation(fromOutside));
      if (!moving) unread = unread.compose(least(one));
    }
    clearTimeout(pending);
    pending = setTimeout(flush, QUIET_MS);
  }

  // What comes from outside waits for the input method; what goes outside, too.

  const composing = () => view.composing || view.compositionStarted;

  function composed() {
    setTimeout(() => {
      if (composing()) return; // the next compositionend comes here again
      while (waiting.length) waiting.shift()();
      flush();
    }, COMPOSED_MS);
  }

  function whenSettled(run) {
    if (composing()) waiting.push(run);
    else run();
  }

  function flush() {
    if (composing()) return;
    clearTimeout(pending);
    pending = 0;
    const byHand = !unread.empty;
    known = view.state.doc;
    unread = ChangeSet.empty(known.length);
    if (byHand) onChange(known.length > longest ? null : textOf());
  }

  const textOf = () => view.state.doc.toString();

  /** A change of the known text, made in the present one; what was written by hand meanwhile stays. */
  function change(changes) {
    const outside = ChangeSet.of(changes, known.length);
    const alone = moving ? [] : [isolateHistory.of('before')]; // one step back undoes a whole drag, and nothing that was written before it
    view.dispatch({ changes: outside.map(unread), annotations: [fromOutside.of(true), ...alone], userEvent: 'input.type.outside' });
    known = outside.apply(known);
    unread = unread.map(outside, true);
  }

  return {
    text: textOf,
    flush,
    focus: () => view.focus(),

    /** The text as the outside wants it, as one step that can be undone; what is the same stays where it is, and so does the caret. */
    setText(wanted) {
      whenSettled(() => {
        const one = difference(known.toString(), normalized(wanted));
        if (!one) return;
        if (unread.touchesRange(one.from, one.to)) flush(); // the hand was there: its text counts, and the outside hears of it
        else change(one);
      });
    },

    /** Marks a line (from 1) as the place of an error, in the gutter and below it; one at a time. */
    mark(line, message) {
      whenSettled(() => view.dispatch({ effects: [setProblem.of({ line, message }), EditorView.announce.of(message)] }));
    },

    clearMarks() {
      whenSettled(() => {
        if (view.state.field(problems).size) view.dispatch({ effects: setProblem.of(null) });
      });
    },

    /** Puts the caret on a line and shows it. */
    goToLine(line) {
      whenSettled(() => {
        const { from } = view.state.doc.line(Math.max(1, Math.min(line, view.state.doc.lines)));
        view.dispatch({ selection: EditorSelection.cursor(from), effects: EditorView.scrollIntoView(from, { y: 'center' }) });
        view.focus();
      });
    },

    close() {
      clearTimeout(pending);
      view.destroy();
    },
  };
}

/** What a transaction really changed: whoever replaces everything by nearly the same text has changed little. */
const least = ({ startState, newDoc }) => ChangeSet.of(difference(startState.doc.toString(), newDoc.toString()) ?? [], startState.doc.length);

const normalized = (text) => text.replace(/\r\n?/g, '\n');

/** One change that turns a text into another, or null; it never cuts a surrogate pair. */
export function difference(old, wanted) {
  if (old === wanted) return null;
  const shortest = Math.min(old.length, wanted.length);
  let start = 0;
  while (start < shortest && old[start] === wanted[start]) start += 1;
  if (isLow(old, start) || isLow(wanted, start)) start -= 1;
  let end = 0;
  while (end < shortest - start && old[old.length - 1 - end] === wanted[wanted.length - 1 - end]) end += 1;
  if (isLow(old, old.length - end) || isLow(wanted, wanted.length - end)) end -= 1;
  return { from: start, to: old.length - end, insert: wanted.slice(start, wanted.length - end) };
}

const isLow = (text, at) => at > 0 && at < text.length && /[\udc00-\udfff]/.test(text[at]);

// The mark of an error: it moves with its line, and goes when the line is edited.

const setProblem = StateEffect.define();

class Problem extends WidgetType {
  constructor(message) {
    super();
    this.message = message;
  }

  eq(other) {
    return other.message === this.message;
  }

  toDOM() {
    const element = document.createElement('div');
    element.className = 'cm-problem';
    element.textContent = `✕ ${this.message}`;
    return element;
  }

  ignoreEvent() {
    return false;
  }
}

const problems = StateField.define({
  create: () => Decoration.none,
  update(marks, transaction) {
    for (const effect of transaction.effects) if (effect.is(setProblem)) return effect.value ? markOf(transaction.state.doc, effect.value) : Decoration.none;
    if (!transaction.docChanged || !marks.size) return marks;
    const { from } = marks.iter();
    const line = transaction.startState.doc.lineAt(from);
    return transaction.changes.touchesRange(line.from, line.to) ? Decoration.none : marks.map(transaction.changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

function markOf(doc, { line, message }) {
  const { from, to, text } = doc.line(Math.max(1, Math.min(line, doc.lines)));
  const start = from + (text.length - text.trimStart().length);
  const marks = [Decoration.line({ class: 'cm-problem-line' }).range(from)];
  if (start < to) marks.push(Decoration.mark({ class: 'cm-problem-text' }).range(start, to));
  marks.push(Decoration.widget({ widget: new Problem(message), block: true, side: 1 }).range(to));
  return Decoration.set(marks, true);
}

class Sign extends GutterMarker {
  toDOM() {
    return document.createTextNode('✕');
  }
}
const sign = new Sign();
const space = new (class extends Sign {})(); // keeps the gutter as wide without a problem

const problemGutter = gutter({
  class: 'cm-problem-gutter',
  lineMarker: (view, line) => {
    const marks = view.state.field(problems);
    return marks.size && marks.iter().from === line.from ? sign : null;
  },
  lineMarkerChange: (update) => update.startState.field(problems) !== update.state.field(problems),
  initialSpacer: () => space,
});
