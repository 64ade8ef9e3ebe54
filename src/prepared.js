// What was computed when the page was built, for where nothing can be computed: the default run, its pictures, the panels as
// HTML, and the texts of the exercises. Loads only where one of them is needed.
import { exercises as texts, panels, pictures, result as run } from '../.cache/engine-data/prepared.json';

/** As JSON text, for the view. */
export const exercises = () => JSON.stringify(texts);
export const result = () => JSON.stringify(run);
