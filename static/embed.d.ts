// Types of <inference-lab> (embed.js) and of the messages between a page and the lab's frame, version 1.
// docs/embedding.md explains them.

export type LabView = 'lab' | 'diagram' | 'block' | 'exercise';
export type LabExercise = 'SLOTS' | 'QUEUE_LIMIT' | 'TOKEN_BUDGET' | 'BLOCK_SIZE' | 'POOL_BLOCKS' | 'QUANT_BITS';
export type LabTheme = 'light' | 'dark' | 'auto';

/** A request of the table REQUESTS. */
export interface LabRequest {
  id: string;
  /** Microseconds of the simulated clock. */
  arrival: number;
  text: string;
  max_new: number;
  temperature?: number;
  top_k?: number;
  top_p?: number;
  seed?: number;
}

/** Constants by name; those that are not there have their default. */
export interface LabConstants {
  [number: string]: number | string | string[] | LabRequest[] | undefined;
  CORPUS?: string[];
  REQUESTS?: LabRequest[];
  /** Id of the request that the panels follow. */
  FOLLOW?: string;
}

/** A headline figure; `text` is the value as the lab writes it, `value` is null where it is undefined. */
export interface LabHeadline {
  id: string;
  label: string;
  value: number | null;
  text: string;
}

/** What the lab tells, by the type of the message. */
export interface LabDetails {
  /** Its script lives; sent once unasked, and as the answer to a hello. */
  hello: Record<string, never>;
  /** Whole CSS pixels that its content needs. */
  height: { height: number };
  /** A press on «Chạy» runs at once. */
  ready: { view: LabView; block?: number; exercise?: LabExercise };
  /** A run is shown. `constants` has what differs from the defaults; `live`: a control was moved, nobody pressed «Chạy». */
  run: { constants: LabConstants; headlines: LabHeadline[]; verdict: 'PASS' | 'FAIL'; live: boolean };
  /** The reader guessed before running; `matching` is null until a run has shown how it is. */
  predict: { answered: number; of: number; matching: number | null };
  /** The reader checked an exercise. */
  exercise: { id: LabExercise; correct: boolean; attempts: number; solved: LabExercise[]; of: number };
  /** Something failed; `message` is what the reader sees, in Vietnamese. */
  error: { code: string; message: string };
}

/** What a page may ask for, by the type of the message. */
export interface LabCommands {
  /** Answered by hello, height and, once it is ready, ready. */
  hello: Record<string, never>;
  run: Record<string, never>;
  /** `number`: any whole number; messages that know of this set carry it as `after`. */
  set: { constants: LabConstants; number?: number };
  /** A panel's number, 1 to 13. */
  open: { block: number };
}

interface Envelope {
  lab: 'inference-lab';
  v: 1;
  /** Of an event: the number of the last set that was done, 0 before one; a run that is older than what is set has none. */
  after?: number;
}

type Messages<Types> = { [Type in keyof Types]: Envelope & { type: Type; detail: Types[Type] } }[keyof Types];

/** From the frame to the page. */
export type LabMessage = Messages<LabDetails>;
/** From the page to the frame. */
export type LabCommand = Messages<LabCommands>;

export type LabEventType = Exclude<keyof LabDetails, 'hello' | 'height'>;

/** DOM events of the element; they bubble, cross shadow roots, and cannot be cancelled. */
export type LabEvents = { [Type in LabEventType as `inference-lab-${Type}`]: CustomEvent<LabDetails[Type]> };

/** The attributes of <inference-lab>, as HTML writes them. */
export interface LabAttributes {
  view?: LabView;
  block?: string;
  exercise?: LabExercise;
  /** "SLOTS:3,QUEUE_LIMIT:2" */
  set?: string;
  /** Names of constants, and of parts: "requests,presets,script". */
  hide?: string;
  follow?: string;
  autorun?: '' | '1';
  theme?: LabTheme;
  /** Pixels; without it the height follows the content. */
  height?: string;
  loading?: 'lazy' | 'eager';
  /** Tokens of an iframe's sandbox; "" is "allow-scripts". */
  sandbox?: string;
}

export interface InferenceLabElement extends HTMLElement {
  /** These three may be called at any time: the lab does them once it can. */
  run(): void;
  set(constants: LabConstants): void;
  open(block: number): void;
  addEventListener<Type extends keyof LabEvents>(
    type: Type, listener: (this: InferenceLabElement, event: LabEvents[Type]) => unknown, options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | AddEventListenerOptions): void;
}

declare global {
  interface HTMLElementTagNameMap {
    'inference-lab': InferenceLabElement;
  }
  interface GlobalEventHandlersEventMap extends LabEvents {}
}
