import { MeasurementError, messageOf } from '../core/errors.ts';
import type { WorldOutcome } from '../core/tools.ts';
import { digestOf } from '../lib/digest.ts';
import type { JsonObject, JsonValue } from '../lib/json.ts';
import { parseForeignJson, refuseDeep } from '../lib/text/json-depth.ts';
import {
  endForeignCode,
  type ForeignScope,
  lateScope,
  settleForeignCode,
} from '../lib/modules/foreign-code.ts';
import { seededRandom } from '../lib/random.ts';
import { isToolError, type DefinedWorld } from './define-world.ts';
import { seedOf, type Draw } from './faults.ts';
import { stateChanges } from './state-changes.ts';

/** The tools of a world module with the state of one attempt. */
export interface StatefulTools {
  /** Runs the tools one after the other. A tool error is an answer; any other error ends the attempt. */
  run(call: HandledCall, signal: AbortSignal): Promise<HandledAnswer>;
  /** Throws when the tools failed in a way that makes the measurement invalid. */
  outcome(): WorldOutcome;
  /** Called when the attempt is over: later errors of the tools are ignored. */
  end(): void;
}

export interface HandledCall {
  readonly handler: string;
  readonly tool: string;
  readonly input: JsonObject;
  /** The number of the call of this tool, from 1. */
  readonly call: number;
}

export type HandledAnswer =
  | { readonly result: JsonValue }
  | { readonly error: { readonly code: string; readonly message: string } };

/** Creates the state; throws when that fails. `broken` is called with errors of tools after they have answered. */
export function statefulTools(
  { state: make, tools }: DefinedWorld,
  draw: Draw,
  broken: (error: MeasurementError) => void,
): StatefulTools {
  const faults = unawaitedFaults(broken);
  const { scopeOf } = faults;
  const asData = (value: unknown, what: string) =>
    orCrash(`${what} cannot be represented as JSON`, () =>
      endForeignCode(scopeOf(what), () => asJson(value)),
    );

  const STATE = 'the state of the world';
  const state = orCrash(`${STATE} could not be created`, () => endForeignCode(scopeOf(STATE), make));
  const before = asData(state, STATE);
  const clock = seededClock(draw);
  let running: Promise<unknown> = Promise.resolve();

  async function handle(
    { handler, tool, input, call }: HandledCall,
    signal: AbortSignal,
  ): Promise<HandledAnswer> {
    signal.throwIfAborted();
    const run = Object.hasOwn(tools, handler) ? tools[handler] : undefined;
    if (run === undefined) throw crash(`the world has no tool ${handler}`);
    const name = `the world's tool ${handler}`;
    const random = seededRandom(seedOf(draw, tool, call));
    clock.tick();
    const context = { state, call, random, now: clock.now, signal };
    try {
      const answer = () => run(structuredClone(input), context);
      const result = await settleForeignCode(name, answer, scopeOf(name));
      return { result: asData(result ?? null, `the answer of ${handler}`) };
    } catch (error) {
      if (isToolError(error)) return { error: { code: error.code, message: error.message } };
      if (error instanceof MeasurementError) throw error;
      signal.throwIfAborted();
      throw crash(`${name} failed: ${messageOf(error)}`, error);
    }
  }

  return {
    run(call, signal) {
      const answer = running.then(() => handle(call, signal));
      running = answer.catch(() => {});
      return answer;
    },
    outcome() {
      faults.throwFirst();
      const after = asData(state, STATE);
      return { state: after, digest: digestOf(after), difference: stateChanges(before, after) };
    },
    end: faults.end,
  };
}

/** Collects uncaught errors of a world's code; until the end they invalidate the attempt. */
function unawaitedFaults(broken: (error: MeasurementError) => void) {
  let first: MeasurementError | undefined;
  let isOver = false;
  const scopeOf = (name: string): ForeignScope => ({
    caught(fault, kind) {
      if (isOver) return lateScope(name).caught(fault, kind);
      first ??= crash(`${name} threw an uncaught error: ${messageOf(fault)}`, fault);
      broken(first);
    },
  });
  return {
    scopeOf,
    throwFirst() {
      if (first !== undefined) throw first;
    },
    end() {
      isOver = true;
    },
  };
}

const YEAR_BEGINS = Date.UTC(2026, 0, 1);
const SECONDS_OF_A_YEAR = 365 * 24 * 3600;

/** Starts at a second of 2026 that depends on the seed; each call advances it by one second. */
function seededClock(draw: Draw) {
  let now = YEAR_BEGINS + (seedOf(draw, '', 0) % SECONDS_OF_A_YEAR) * 1000;
  return { now: () => now, tick: () => void (now += 1000) };
}

function asJson(value: unknown): JsonValue {
  refuseDeep(value);
  const text = JSON.stringify(value) as string | undefined;
  if (text === undefined) throw new TypeError(`expected a JSON value, got a ${typeof value}`);
  return parseForeignJson(text) as JsonValue;
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
    hint: 'correct the world module; to answer the agent with an error, throw new ToolError(code, message)',
    cause,
  });
}
