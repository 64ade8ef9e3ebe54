// Modules of the engine that the view has too, on MicroPython: they import nothing.
export const SHARED = ['py/inference_lab/reports/trees.py'];
