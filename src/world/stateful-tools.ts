import { MeasurementError, messageOf } from '../core/errors.ts';
import type { WorldOutcome } from '../core/tools.ts';
import { digestOf } from '../lib/digest.ts';
import type { JsonObject, JsonValue } from '../lib/json.ts';
import { seededRandom } from '../lib/random.ts';
import { isToolError, type DefinedWorld } from './define-world.ts';
import { seedOf, type Draw } from './faults.ts';
import { stateChanges } from './state-changes.ts';

/** The tools of a world module, with the state of one attempt. */
export interface StatefulTools {
  /** Runs one tool after the other; a tool error is an answer, anything else thrown ends the attempt. */
  run(call: HandledCall, signal: AbortSignal): Promise<HandledAnswer>;
  outcome(): WorldOutcome;
}

export interface HandledCall {
  readonly handler: string;
  readonly tool: string;
  readonly input: JsonObject;
  /** Of this tool, from 1. */
  readonly call: number;
}

export type HandledAnswer =
  | { readonly result: JsonValue }
  | { readonly error: { readonly code: string; readonly message: string } };

/** Makes the state anew; rejects when that throws. */
export function statefulTools({ state: make, tools }: DefinedWorld, draw: Draw): StatefulTools {
  const state = orCrash('the state of the world could not be made', () => make());
  const before = asJson(state, 'the state of the world');
  const clock = seededClock(draw);
  let running: Promise<unknown> = Promise.resolve();

  async function handle(
    { handler, tool, input, call }: HandledCall,
    signal: AbortSignal,
  ): Promise<HandledAnswer> {
    signal.throwIfAborted();
    const run = Object.hasOwn(tools, handler) ? tools[handler] : undefined;
    if (run === undefined) throw crash(`the world has no tool ${handler}`);
    const random = seededRandom(seedOf(draw, tool, call));
    clock.tick();
    try {
      const result = await run(structuredClone(input), { state, call, random, now: clock.now, signal });
      return { result: asJson(result ?? null, `what ${handler} answered`) };
    } catch (error) {
      if (isToolError(error)) return { error: { code: error.code, message: error.message } };
      if (error instanceof MeasurementError) throw error;
      signal.throwIfAborted();
      throw crash(`the world's tool ${handler} threw ${messageOf(error)}`, error);
    }
  }

  return {
    run(call, signal) {
      const answer = running.then(() => handle(call, signal));
      running = answer.catch(() => {});
      return answer;
    },
    outcome() {
      const after = asJson(state, 'the state of the world');
      return { state: after, digest: digestOf(after), difference: stateChanges(before, after) };
    },
  };
}

const YEAR_BEGINS = Date.UTC(2026, 0, 1);
const SECONDS_OF_A_YEAR = 365 * 24 * 3600;

/** Starts at a second of 2026 that follows from the seed; one second passes at each call. */
function seededClock(draw: Draw) {
  let now = YEAR_BEGINS + (seedOf(draw, '', 0) % SECONDS_OF_A_YEAR) * 1000;
  return { now: () => now, tick: () => void (now += 1000) };
}

function asJson(value: unknown, what: string): JsonValue {
  return orCrash(`${what} is nothing that JSON can hold`, () => {
    const text = JSON.stringify(value) as string | undefined;
    if (text === undefined) throw new TypeError(`it is a ${typeof value}`);
    return JSON.parse(text) as JsonValue;
  });
}

function orCrash<T>(message: string, make: () => T): T {
  try {
    return make();
  } catch (error) {
    throw crash(`${message}: ${messageOf(error)}`, error);
  }
}

function crash(message: string, cause?: unknown): MeasurementError {
  return new MeasurementError(message, {
    stage: 'world',
    kind: 'mock-crash',
    hint: 'correct the world module; throw new ToolError(code, message) for what the agent is to be told',
    cause,
  });
}
