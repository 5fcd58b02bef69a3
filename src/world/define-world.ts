import type { JsonObject } from '../lib/json.ts';

/** What a tool of a world is given beside its arguments. */
export interface ToolContext<State> {
  /** Of this attempt, to be changed in place. */
  readonly state: State;
  /** Which call of this tool it is, from 1. */
  readonly call: number;
  /** Numbers in [0, 1), the same in every run with the same seed. */
  random(): number;
  /** Milliseconds since 1970 of a clock that follows the seed and not the time. */
  now(): number;
  readonly signal: AbortSignal;
}

/** Answers a call with anything that JSON can hold; a `ToolError` is an answer too. */
export type WorldTool<State> = (args: JsonObject, context: ToolContext<State>) => unknown;

/** Tools that share a state. */
export interface WorldDefinition<State> {
  /** Made anew for every attempt; plain data. */
  readonly state: () => State;
  /** By the names that mocks give as `handler`. */
  readonly tools: Readonly<Record<string, WorldTool<State>>>;
}

/** A world whose tools and state fit each other; what the state is is their own business. */
export type DefinedWorld = WorldDefinition<unknown>;

/** Types a world module, whose default export it is. */
export function defineWorld<State>(world: WorldDefinition<State>): DefinedWorld {
  return world as DefinedWorld;
}

/** Two copies of the package know each other's errors by it. */
const BRAND = Symbol.for('assay.tool-error');

/** Thrown by a tool of a world: the agent is answered with it. */
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
