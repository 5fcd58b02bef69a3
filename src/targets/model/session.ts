import { MeasurementError } from '../../core/errors.ts';
import type { Part } from '../../core/message.ts';
import type { ModelAnswer, ModelChoice, ModelMessage, ModelToolResult } from '../../core/model.ts';
import type { TargetServices } from '../../core/plugin.ts';
import type { Session, ToolWorld, TurnEnd, World, Yielded } from '../../core/target.ts';
import type { ModelKeys } from './config.ts';
import { givenPrompt } from '../given-prompt.ts';
import { earlierMessages, userParts } from './model-messages.ts';
import { given } from '../../lib/given.ts';

/** A configured model, and what a session of it needs. */
export interface ModelLine {
  readonly config: ModelKeys;
  readonly choice: ModelChoice;
  readonly services: Pick<TargetServices, 'models' | 'directory' | 'price' | 'prompt'>;
}

/** One conversation with a model. A step is one answer of the model and its tool calls. */
export function openModelSession({ config, choice, services }: ModelLine, world: World): Session {
  const { tools = [], call = noTool } = world;
  const roots =
    world.workspace === undefined ? [services.directory] : [world.workspace.directory, services.directory];
  const partsOf = (parts: readonly Part[]) => userParts(parts, { roots, images: config.images });
  const prompt = givenPrompt({ prompt: services.prompt, role: config.promptRole }, world);
  const system = prompt.apart ?? config.system;
  const messages: ModelMessage[] = system === undefined ? [] : [{ role: 'system', text: system }];
  let isOpened = false;
  let steps = 0;
  const ending = new Set(tools.filter(({ terminating }) => terminating === true).map(({ name }) => name));

  const askModel = (signal: AbortSignal): Promise<ModelAnswer> =>
    services.models.ask(
      {
        ...choice,
        ...given({ price: services.price }),
        role: 'agent',
        messages: [...messages],
        ...(tools.length === 0 ? {} : { tools }),
        ...given({ temperature: config.temperature, maxOutputTokens: config.maxOutputTokens }),
        repetition: world.trial.repetition,
        ...(config.stream ? { pulse: world.pulse } : {}),
        ...given({ waiting: world.hold }),
      },
      signal,
    );

  return {
    async *respond(message, signal) {
      signal.throwIfAborted();
      if (!isOpened) messages.push(...(await earlierMessages(world.history, partsOf)));
      const parts = (isOpened ? message : prompt.opening(message))?.parts;
      isOpened = true;
      if (parts !== undefined) messages.push({ role: 'user', parts: await partsOf(parts) });
      const notes: string[] = [];
      for (let made = 0; made < config.maxStepsPerTurn; made++) {
        const answer = await askModel(signal);
        steps += 1;
        notes.push(...notesOn(answer));
        messages.push(ownMessage(answer));
        yield* answerEntries(answer, steps, ending);
        if (answer.finishReason === 'error') throw brokenOff(answer);
        if (answer.toolCalls.length === 0) return endOf(notes);
        const results: ModelToolResult[] = [];
        const terminating = yield* callEntries({ answer, call, results, step: steps }, signal);
        messages.push({ role: 'tool', results });
        if (terminating !== undefined) return { ...endOf(notes), ended: { reason: `tool:${terminating}` } };
      }
      throw tooManySteps(config.maxStepsPerTurn);
    },
    async [Symbol.asyncDispose]() {},
  };
}

function ownMessage({ text, toolCalls, echo }: ModelAnswer): ModelMessage {
  return {
    role: 'assistant',
    text,
    ...(toolCalls.length === 0 ? {} : { toolCalls }),
    ...given({ echo }),
  };
}

/**
 * Entries of an answer: reasoning, text and usage. Text next to calls is a comment, unless a call ends the
 * conversation.
 */
function* answerEntries(answer: ModelAnswer, step: number, ending: ReadonlySet<string>): Generator<Yielded> {
  const { text, reasoning, toolCalls, usage, model, costUsd } = answer;
  const isLast = toolCalls.some(({ name }) => ending.has(name));
  const message = { type: 'message', role: 'assistant', step } as const;
  if (reasoning !== undefined) yield { ...message, phase: 'thinking', parts: [{ text: reasoning }] };
  if (toolCalls.length === 0) yield { ...message, parts: [{ text }] };
  else if (text !== '') yield { ...message, ...(isLast ? {} : { phase: 'commentary' }), parts: [{ text }] };
  if (usage !== undefined || costUsd !== null) {
    yield { type: 'usage', ...usage, model, step, ...(costUsd === null ? {} : { costUsd }) };
  }
}

interface Calling {
  readonly answer: ModelAnswer;
  readonly call: ToolWorld['call'];
  readonly results: ModelToolResult[];
  readonly step: number;
}

/** Runs the calls of a step one after the other; returns the name of a tool that ends the conversation. */
async function* callEntries(
  { answer, call, results, step }: Calling,
  signal: AbortSignal,
): AsyncGenerator<Yielded, string | undefined> {
  let terminating: string | undefined;
  for (const { callId, name, input } of answer.toolCalls) {
    yield { type: 'tool-call', callId, name, input, step };
    const { output, failed, terminates } = await call({ name, input }, signal);
    const failure = failed === true ? { failed } : {};
    results.push({ callId, name, output, ...failure });
    yield { type: 'tool-result', callId, output, step, ...failure };
    if (terminates === true) terminating ??= name;
  }
  return terminating;
}

/** Some models call unknown tools. */
const noTool: ToolWorld['call'] = async ({ name }) => ({
  output: { error: { code: 'unknown_tool', message: `unknown tool ${name}; known tools: none` } },
  failed: true,
});

function notesOn({ finishReason, notes = [] }: ModelAnswer): readonly string[] {
  if (finishReason === 'length')
    return [...notes, 'an answer of the model was cut off at the limit of output tokens'];
  if (finishReason === 'content-filter')
    return [...notes, 'the provider withheld an answer (content filter)'];
  return notes;
}

function endOf(notes: readonly string[]): TurnEnd {
  return notes.length === 0 ? {} : { notes: [...new Set(notes)] };
}

/** The text so far is recorded and paid for, but is not an answer. */
function brokenOff({ model, rawFinishReason }: ModelAnswer): MeasurementError {
  const word = rawFinishReason === undefined ? '' : ` (${rawFinishReason})`;
  return new MeasurementError(`${model}: the provider ended the answer with an error${word}`, {
    stage: 'target',
    kind: 'target-unavailable',
    detail: 'answer-broken-off',
    transient: true,
    hint: 'run the trial again; if the error persists, ask the provider about the request',
  });
}

function tooManySteps(ceiling: number): MeasurementError {
  return new MeasurementError(`the model exceeded ${ceiling} steps in one turn`, {
    stage: 'target',
    kind: 'max-steps',
    limit: { kind: 'max-steps', ceiling, reached: ceiling + 1 },
    hint: 'raise `maxStepsPerTurn` of the target if more steps are needed',
  });
}
