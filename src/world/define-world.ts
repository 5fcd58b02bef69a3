import type { JsonObject } from '../lib/json.ts';

/** The second argument of a world's tool. */
export interface ToolContext<State> {
  /** The state of this attempt; tools change it in place. */
  readonly state: State;
  /** The number of this call of the tool, from 1. */
  readonly call: number;
  /** Random numbers in [0, 1), the same in every run with the same seed. */
  random(): number;
  /** Milliseconds since 1970 of a clock that depends on the seed and not on the time. */
  now(): number;
  readonly signal: AbortSignal;
}

/** Answers a call with a JSON value. A thrown `ToolError` is an answer too. */
export type WorldTool<State> = (args: JsonObject, context: ToolContext<State>) => unknown;

/** Tools that share a state. */
export interface WorldDefinition<State> {
  /** Creates the state for an attempt; plain data. */
  readonly state: () => State;
  /** Tools by the names that mocks use as `handler`. */
  readonly tools: Readonly<Record<string, WorldTool<State>>>;
}

export type DefinedWorld = WorldDefinition<unknown>;

/** Types a world module, which exports the result as default. */
export function defineWorld<State>(world: WorldDefinition<State>): DefinedWorld {
  return world as DefinedWorld;
}

/** Identifies the errors of this class across copies of the package. */
const BRAND = Symbol.for('assay.tool-error');

/** Thrown by a tool of a world to answer the agent with an error. */
export class ToolError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = 'ToolError';
    this.code = code;
    Object.defineProperty(this, BRAND, { value: true });
  }
}

export function isToolError(error: unknown): error is ToolError {
  return typeof error === 'object' && error !== null && BRAND in error;
}
