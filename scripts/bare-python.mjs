// Sources in Python without docstrings and comments, each line where it was (bare_python.py).
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { PYTHON } from './setup.mjs';

const PROGRAM = fileURLToPath(new URL('bare_python.py', import.meta.url));

/** Sources -> the same programs, in the same order. */
export const barePython = (sources) => JSON.parse(execFileSync(PYTHON, [PROGRAM], { input: JSON.stringify(sources), encoding: 'utf8', maxBuffer: 1 << 26 }));
