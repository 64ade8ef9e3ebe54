// The scripts that the page brings: the default one and the worked examples, as the engine wrote them when the page was built.
//
// In and out: text and JSON, for the view. Knows nothing of the editor.
import examples from '../.cache/engine-data/examples.json';
import defaultScript from '../.cache/engine-data/script.py?raw';
import { applyChanges, writeConstant } from './script.js';

/** The default script with these values. valuesJson: [[name, value]] */
export const scriptWith = (valuesJson) => withValues(defaultScript, valuesJson);

/** The worked examples, as JSON: [{ title, explanation }] */
export const exampleTitles = () => JSON.stringify(examples.map(({ title, explanation }) => ({ title, explanation })));

/** A worked example, by its place in `exampleTitles`, with these values. */
export const exampleWith = (place, valuesJson) => withValues(examples[place].text, valuesJson);

const withValues = (script, valuesJson) =>
  JSON.parse(valuesJson).reduce((text, [name, value]) => applyChanges(text, writeConstant(text, name, value)), script);
