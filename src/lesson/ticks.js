// Which units of the lesson list are done by what the lab and the lesson keep: exercises that a run has solved, a lesson of which every
// question is answered.
//
// In: read(key) -> what is stored under that key, of whatever shape, and the keys that there are. Out: a Set of unit ids. Believes nothing of
// what is stored.
import { keyOf } from './store.js';

const LAB = 'inference-lab/1'; // where the lab keeps what its learner set; a view of it in a frame adds its address. exercises: { id: [guess, tried, hints, answered, solved] }
const SOLVED = 4;
const LESSONS = ['one-model-call'];

export function autoTicks(read, keys) {
  const solved = keys.filter((key) => key === LAB || key.startsWith(`${LAB} `)).flatMap((key) => {
    const exercises = read(key)?.kept?.exercises ?? {};
    return Object.keys(exercises).filter((id) => exercises[id]?.[SOLVED] === true).map((id) => `exercise-${id}`);
  });
  const answered = LESSONS.filter((id) => {
    const [done, all] = asPair(read(keyOf(`${id}-done`)));
    return all > 0 && done === all;
  });
  return new Set([...solved, ...answered]);
}

const asPair = (found) => (Array.isArray(found) ? found : [0, 0]);
