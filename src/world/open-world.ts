import { MeasurementError, messageOf } from '../core/errors.ts';
import type { AnsweredCall, Artifacts, ToolAnswer, ToolCall, ToolWorld } from '../core/target.ts';
import type { ToolSpec } from '../core/tools.ts';
import type { PlannedFault, ToolMock } from '../core/test-case.ts';
import { given } from '../lib/given.ts';
import { isObject, jsonEqual, type JsonObject, type JsonValue } from '../lib/json.ts';
import { refuseDeep } from '../lib/text/json-depth.ts';
import { pause } from '../lib/time/clock.ts';
import type { DefinedWorld } from './define-world.ts';
import { faultOf, type Draw } from './faults.ts';
import { mockShelf } from './mock-shelf.ts';
import { serveTools, type ServedTools } from './served-tools.ts';
import { statefulTools } from './stateful-tools.ts';
import { answerOf, missOf, toolError, unknownTool, wrongArguments } from './tool-answers.ts';

/** The tools of an attempt and their answers. */
export interface WorldPlan {
  readonly tools: readonly ToolSpec[];
  readonly mocks: readonly ToolMock[];
  readonly faults: readonly PlannedFault[];
  /** The module with the tools that mocks use as handlers. */
  readonly stateful?: DefinedWorld;
}

export interface WorldServices {
  readonly draw: Draw;
  /** Compiles a JSON Schema, given as its text. */
  readonly validatorOf: (schema: string) => Promise<(value: JsonValue) => readonly string[]>;
  /** Whether the target is a program that calls its tools over MCP. */
  readonly servesMcp: boolean;
  readonly artifacts: Pick<Artifacts, 'write'>;
  /** Ends the session: calls cannot be answered any more. */
  readonly broken: (error: unknown) => void;
}

const FAULT_DELAY_MS = 30_000;

/** Creates the tools of one attempt, with new counts, state and faults. */
export async function openWorld(plan: WorldPlan, services: WorldServices): Promise<ToolWorld> {
  const { tools } = plan;
  const answered: AnsweredCall[] = [];
  let terminating: string | undefined;
  let failure: { readonly error: unknown } | undefined;
  const broken = (error: unknown) => {
    failure ??= { error };
    services.broken(error);
  };
  const answers = answering(plan, { ...services, broken });

  async function call(asked: ToolCall, signal: AbortSignal): Promise<ToolAnswer> {
    if (failure !== undefined) throw failure.error;
    const startedAt = performance.now();
    try {
      refuseDeep(asked.input);
      const { answer, fault } = await answers.answer(asked, signal);
      if (answer.terminates === true) terminating ??= asked.name;
      const durationMs = Math.round(performance.now() - startedAt);
      const { terminates: _, ...said } = answer;
      answered.push({ ...asked, ...said, durationMs, ...given({ fault }) });
      return answer;
    } catch (error) {
      if (!signal.aborted) broken(error);
      throw error;
    }
  }

  const served: ServedTools | undefined = services.servesMcp ? await serveTools({ tools, call }) : undefined;
  return {
    tools,
    ...(served === undefined ? {} : { mcp: served.mcp }),
    call,
    nameOf: (written) => toolName(written, tools),
    recall: ({ name, input }) => {
      const found = answered.findIndex((each) => each.name === name && jsonEqual(each.input, input));
      return found < 0 ? undefined : answered.splice(found, 1)[0];
    },
    untold: () => answered.splice(0),
    ended: () => terminating,
    outcome: answers.outcome,
    async [Symbol.asyncDispose]() {
      await served?.[Symbol.asyncDispose]();
      const outcome = answers.end();
      if (outcome !== undefined)
        await services.artifacts.write(WORLD_FILE, JSON.stringify(outcome, undefined, 2));
    },
  };
}

/** Writes the final state of the tools to the attempt's artifacts. */
export const WORLD_FILE = 'world.json';

interface Answered {
  readonly answer: ToolAnswer;
  readonly fault?: string;
}

function answering(
  { tools, mocks, faults, stateful }: WorldPlan,
  { draw, validatorOf, broken }: WorldServices,
) {
  const shelf = mockShelf(mocks);
  const counts = new Map<string, number>();
  const worldTools = stateful && statefulTools(stateful, draw, broken);

  async function trueAnswer(asked: ToolCall, count: number, signal: AbortSignal): Promise<ToolAnswer> {
    const mock = shelf.take(asked.name, asked.input);
    if (mock === undefined) throw missOf(asked, shelf.nearest(asked.name, asked.input));
    if (!('handler' in mock.answer)) return answerOf(mock.answer);
    if (worldTools === undefined)
      throw new Error(`no registered world has the handler ${mock.answer.handler}`);
    const input = isObject(asked.input) ? (asked.input as JsonObject) : {};
    const handled = { handler: mock.answer.handler, tool: asked.name, input, call: count };
    return answerOf(await worldTools.run(handled, signal));
  }

  async function answer(asked: ToolCall, signal: AbortSignal): Promise<Answered> {
    signal.throwIfAborted();
    const tool = tools.find(({ name }) => name === asked.name);
    if (tool === undefined) return { answer: unknownTool(asked.name, tools) };
    // Counted on arrival, so that later waits do not change the number of a call.
    const count = (counts.get(asked.name) ?? 0) + 1;
    counts.set(asked.name, count);
    const wrong = await faultsIn(tool, asked.input, validatorOf);
    if (wrong.length > 0) return { answer: wrongArguments(asked.input, wrong) };
    if (tool.terminating === true) return { answer: { output: {}, terminates: true } };
    const fault = faultOf(faults, { tool: asked.name, call: count }, draw);
    if (fault === undefined) return { answer: await trueAnswer(asked, count, signal) };
    return { answer: await faulty(fault, () => trueAnswer(asked, count, signal), signal), fault: fault.kind };
  }

  const end = () => {
    try {
      return worldTools?.outcome();
    } catch {
      // The failure was already reported, or the attempt ended first.
      return undefined;
    } finally {
      worldTools?.end();
    }
  };
  return { answer, outcome: () => worldTools?.outcome(), end };
}

/** A call that times out or is refused never reaches the tool: it uses no mock and changes no state. */
async function faulty(
  { kind, delayMs = FAULT_DELAY_MS }: PlannedFault,
  answer: () => Promise<ToolAnswer>,
  signal: AbortSignal,
): Promise<ToolAnswer> {
  switch (kind) {
    case 'timeout':
      await pause(delayMs, signal);
      return toolError('timeout', 'the tool timed out');
    case 'http-5xx':
      return toolError('http_error', 'Service Unavailable', { status: 503 });
    case 'malformed':
      return cutInHalf(await answer());
    case 'slow': {
      const late = await answer();
      await pause(delayMs, signal);
      return late;
    }
    default:
      throw kind satisfies never;
  }
}

function cutInHalf(answer: ToolAnswer): ToolAnswer {
  const text = JSON.stringify(answer.output);
  return { ...answer, output: text.slice(0, Math.floor(text.length / 2)) };
}

async function faultsIn(
  { name, parameters }: ToolSpec,
  input: JsonValue,
  validatorOf: WorldServices['validatorOf'],
): Promise<readonly string[]> {
  if (parameters === undefined) return [];
  try {
    const validate = await validatorOf(JSON.stringify(parameters));
    return validate(input);
  } catch (error) {
    throw new MeasurementError(
      `invalid JSON Schema in \`parameters\` of the tool ${name}: ${messageOf(error)}`,
      {
        stage: 'world',
        kind: 'mock-crash',
        detail: 'tool-schema',
        hint: 'correct `parameters` of the tool',
        cause: error,
      },
    );
  }
}

/** The instructions for agents that call the tools of an MCP server named `tools`. */
const SERVED = /^(?:mcp[_-]{1,2})?tools[._:/-]{1,3}/;

function toolName(written: string, tools: readonly ToolSpec[]): string {
  const isDeclared = (name: string) => tools.some((tool) => tool.name === name);
  if (isDeclared(written)) return written;
  const bare = written.replace(SERVED, '');
  return isDeclared(bare) ? bare : written;
}
