import { expect, test } from 'vitest';

import type { ToolWorld, World, Yielded } from '../core/target.ts';
import { MeasurementError } from '../core/errors.ts';
import { message, sceneOf, says, targetOf, turnOf, userOf } from './fixtures/trial-context.ts';
import { runTrial } from './run-trial.ts';

const { signal } = new AbortController();

const call = (callId: string, name: string): Yielded => ({
  type: 'tool-call',
  callId,
  name,
  input: { n: 1 },
});
const result = (callId: string): Yielded => ({ type: 'tool-result', callId, output: 'x' });

/** Tools that answer nothing by themselves. */
function worldWith(overrides: Partial<ToolWorld> = {}): ToolWorld & { readonly closed: () => boolean } {
  let closed = false;
  return {
    tools: [{ name: 'lookup' }],
    call: async () => ({ output: 'x' }),
    nameOf: (written) => written.replace('mcp__tools__', ''),
    recall: () => undefined,
    untold: () => [],
    ended: () => undefined,
    outcome: () => undefined,
    closed: () => closed,
    async [Symbol.asyncDispose]() {
      closed = true;
    },
    ...overrides,
  };
}

test('calls are named as declared, and results carry what only the world knows', async () => {
  const marks = [{ fault: 'slow', durationMs: 7 }, { durationMs: 3 }];
  const world = worldWith({
    recall: ({ name, input }) => (name === 'lookup' && 'n' in (input as object) ? marks.shift() : undefined),
  });
  const { context, trial, facts } = sceneOf({
    target: targetOf([
      turnOf([call('a', 'mcp__tools__lookup'), result('a'), call('b', 'lookup'), result('b'), says('done')]),
    ]),
    context: { openTools: async () => world },
  });
  expect(await runTrial(trial, context, signal)).toMatchObject({ verdict: 'passed' });
  const entries = facts('transcript-entry').flatMap((fact) => ('entry' in fact ? [fact.entry] : []));
  expect(entries.slice(1, 5)).toMatchObject([
    { type: 'tool-call', name: 'lookup' },
    { type: 'tool-result', callId: 'a', fault: 'slow', durationMs: 7 },
    { type: 'tool-call', name: 'lookup' },
    { type: 'tool-result', callId: 'b', durationMs: 3 },
  ]);
  expect(world.closed()).toBe(true);
});

test('of a target that tells of no calls the world tells, before the answer and once', async () => {
  const calls = [{ name: 'lookup', input: { n: 1 }, output: 'x', fault: 'slow', durationMs: 2 }];
  const untold = () => calls.splice(0);
  const heard = async (tellsToolCalls: boolean) => {
    const { context, trial, facts } = sceneOf({
      target: targetOf([turnOf([says('done')])]),
      context: { openTools: async () => worldWith({ untold }) },
    });
    const settingsFor: typeof context.settingsFor = (...asked) => ({
      ...context.settingsFor(...asked),
      tellsToolCalls,
    });
    await runTrial(trial, { ...context, settingsFor }, signal);
    return facts('transcript-entry').flatMap((fact) => ('entry' in fact ? [fact.entry] : []));
  };
  expect((await heard(true)).map(({ type }) => type)).toEqual(['message', 'message']);
  expect((await heard(false)).slice(1)).toMatchObject([
    { type: 'tool-call', callId: 'tools-1', name: 'lookup', input: { n: 1 } },
    { type: 'tool-result', callId: 'tools-1', output: 'x', fault: 'slow', durationMs: 2 },
    { type: 'message' },
  ]);
});

test('a terminating tool ends the conversation of a target that says nothing of it', async () => {
  const { context, trial } = sceneOf({
    target: targetOf([turnOf([says('bye')])]),
    user: userOf([message('one'), message('two')]),
    context: { openTools: async () => worldWith({ ended: () => 'hang_up' }) },
  });
  expect(await runTrial(trial, context, signal)).toMatchObject({
    turns: 1,
    end: { by: 'agent', reason: 'tool:hang_up' },
  });
});

test('what cannot be answered ends the session, also of a target that waits for ever', async () => {
  const miss = new MeasurementError('no mock', { stage: 'world', kind: 'mock-miss' });
  let breakIt: ((error: unknown) => void) | undefined;
  const { context, trial } = sceneOf({
    target: targetOf([
      async function* () {
        yield call('a', 'lookup');
        breakIt?.(miss);
        return await new Promise<never>(() => {});
      },
    ]),
    context: {
      openTools: async ({ broken }) => {
        breakIt = broken;
        return worldWith();
      },
    },
  });
  expect(await runTrial(trial, context, signal)).toMatchObject({
    verdict: 'errored',
    error: { stage: 'world', kind: 'mock-miss' },
    attempts: [{ error: { kind: 'mock-miss' } }],
  });
});

test.each([
  ['that tells of its calls', true],
  ['that tells of none', false],
])(
  'what the world answered before a session broke off stands in the transcript: a target %s',
  async (_, tells) => {
    const calls = [
      { name: 'lookup', input: { n: 1 }, output: 'first', durationMs: 1 },
      { name: 'lookup', input: { n: 2 }, output: 'second', durationMs: 2 },
    ];
    const { context, trial, facts } = sceneOf({
      target: targetOf([
        async function* () {
          if (tells) yield call('a', 'mcp__tools__lookup');
          await new Promise((resolve) => setImmediate(resolve));
          throw new MeasurementError('the agent died', { stage: 'target', kind: 'runner-crash' });
        },
      ]),
      context: { openTools: async () => worldWith({ untold: () => calls.splice(0) }) },
    });
    const settingsFor: typeof context.settingsFor = (...asked) => ({
      ...context.settingsFor(...asked),
      tellsToolCalls: tells,
    });
    expect(await runTrial(trial, { ...context, settingsFor }, signal)).toMatchObject({ verdict: 'errored' });
    const entries = facts('transcript-entry').flatMap((fact) => ('entry' in fact ? [fact.entry] : []));
    const [first, second] = tells ? ['a', 'tools-1'] : ['tools-1', 'tools-2'];
    expect(entries.slice(1)).toMatchObject([
      { type: 'tool-call', callId: first, name: 'lookup', input: { n: 1 } },
      { type: 'tool-result', callId: first, output: 'first', durationMs: 1 },
      { type: 'tool-call', callId: second, name: 'lookup', input: { n: 2 } },
      { type: 'tool-result', callId: second, output: 'second', durationMs: 2 },
    ]);
  },
);

test('the target gets the tools and graders see their final state; a trial without tools works the same', async () => {
  const seen: unknown[] = [];
  const outcome = { state: { n: 1 }, digest: 'd', difference: [] };
  const scene = (openTools?: () => Promise<ToolWorld>) =>
    sceneOf({
      graders: {
        fine: {
          grade: async ({ world }) => {
            seen.push(world);
            return [{ score: 1, reason: 'it is' }];
          },
        },
      },
      context: openTools === undefined ? {} : { openTools },
    });
  const withWorld = scene(async () =>
    worldWith({ outcome: () => outcome, mcp: { command: ['x'], environment: {} } }),
  );
  const without = scene();
  await runTrial(withWorld.trial, withWorld.context, signal);
  await runTrial(without.trial, without.context, signal);
  expect(seen).toEqual([outcome, undefined]);
  const offered = ({ tools, mcp, call: answer }: Partial<World> = {}) => [tools, mcp, typeof answer];
  expect(offered(withWorld.worlds[0])).toEqual([
    [{ name: 'lookup' }],
    { command: ['x'], environment: {} },
    'function',
  ]);
  expect(offered(without.worlds[0])).toEqual([undefined, undefined, 'undefined']);
});
