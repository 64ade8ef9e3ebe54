// A thin door to Observable Plot, loaded when the first curve is wanted: plain data in, an element out.
import { dot, lineY, plot as draw, ruleX, text } from '@observablehq/plot';

const MARKS = { dot, lineY, ruleX, text }; // by name, so that the rest of Plot is not loaded

/**
 * `json` holds Plot's own options as JSON text, except that each mark is a list: its name, then what Plot's function of
 * that name takes, as in ["lineY", rows, { "x": "value", "y": "ms" }]. The element has Plot's `scale` method.
 */
export function plot(json) {
  const { marks, ...options } = JSON.parse(json);
  return draw({ ...options, marks: marks.map(([name, ...given]) => MARKS[name](...given)) });
}
