// What a learner has solved, as plain data, and the words of SCORM 1.2 for it. Knows nothing of an LMS or of the page.
//
// A progress: { solved: [ids], attempts: { id: number } }. Only the exercises of the package count, and only those that were solved in
// this package: what the lab remembers of somebody else who used the same browser is not credited.

export const none = () => ({ solved: [], attempts: {} });

/** After an `exercise` message of the lab. */
export function after(progress, { id, correct }, exercises) {
  if (!exercises.includes(id)) return progress;
  const solved = correct && !progress.solved.includes(id) ? [...progress.solved, id] : progress.solved;
  return { solved, attempts: { ...progress.attempts, [id]: (progress.attempts[id] ?? 0) + 1 } };
}

export const score = ({ solved }, exercises) => Math.round((100 * solved.length) / exercises.length);

/** cmi.core.lesson_status. `mastery`: the score that passes, or null where the LMS names none; then all is done when all is solved. */
export function status(progress, exercises, mastery) {
  const now = score(progress, exercises);
  if (mastery === null) return now === 100 ? 'completed' : 'incomplete';
  return now >= mastery ? 'passed' : 'incomplete';
}

/** cmi.suspend_data holds 4096 characters; this is some hundred. */
export const write = (progress) => JSON.stringify({ v: 1, ...progress });

/** What `write` wrote; anything else, and what is not of this package, is as good as nothing. */
export function read(text, exercises) {
  try {
    const { v, solved, attempts } = JSON.parse(text);
    if (v !== 1) return none();
    const counts = Object.entries(attempts).filter(([id, count]) => exercises.includes(id) && Number.isInteger(count) && count > 0);
    return { solved: exercises.filter((id) => solved.includes(id)), attempts: Object.fromEntries(counts) };
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return none();
    throw error;
  }
}

/** A CMITimespan, HHHH:MM:SS.SS */
export function timespan(milliseconds) {
  const hundredths = Math.round(milliseconds / 10);
  const two = (number) => String(number).padStart(2, '0');
  const minutes = Math.floor(hundredths / 6000);
  return `${String(Math.floor(minutes / 60)).padStart(4, '0')}:${two(minutes % 60)}:${two(Math.floor(hundredths / 100) % 60)}.${two(hundredths % 100)}`;
}
