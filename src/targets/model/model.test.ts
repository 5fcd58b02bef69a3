import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

import { ask, servicesOf, targetContract, temporaryFolder, worldOf } from '../../../test/contracts/target.ts';
import { modelDoor } from '../../../test/support/model-door.ts';
import { modelServer } from '../../../test/support/model-server.ts';
import { worldOf as toolWorld } from '../../../test/support/tool-world.ts';
import { given } from '../../lib/given.ts';
import type { ModelAnswer, ModelDoor } from '../../core/model.ts';
import type { TargetServices } from '../../core/plugin.ts';
import type { Target, World } from '../../core/target.ts';
import type { ToolSpec } from '../../core/tools.ts';
import type { ToolMock } from '../../core/test-case.ts';
import type { Script } from '../../../test/support/model-server.ts';
import { openaiCompatible } from '../openai-compatible/openai-compatible.ts';
import { modelTarget } from './model.ts';

const TOOLS = [
  {
    name: 'lookup_order',
    description: 'finds an order',
    parameters: { type: 'object', properties: { id: { type: 'string' } } },
  },
  { name: 'hand_over', terminating: true },
];

const toolsOf = async (tools: readonly ToolSpec[], mocks: readonly ToolMock[] = []) => {
  const { world } = await toolWorld({ tools, mocks });
  return { tools, call: world.call };
};

/** Both targets against one script. */
const kinds = [
  {
    type: 'model',
    create: (url: string, config: object, services: Partial<TargetServices>): Target =>
      modelTarget.create(
        modelTarget.config.parse({ model: 'local/any', ...config }),
        servicesOf({ models: modelDoor(`${url}/v1`), ...services }),
      ),
    model: 'local/any',
  },
  {
    type: 'openai-compatible',
    create: (url: string, config: object, services: Partial<TargetServices>): Target =>
      openaiCompatible.create(
        openaiCompatible.config.parse({ baseUrl: `${url}/v1`, model: 'any', ...config }),
        servicesOf({ models: modelDoor(`${url}/v1`), ...services }),
      ),
    model: 'openai-compatible/any',
  },
];

for (const { type, create } of kinds) {
  targetContract(type, {
    answering: async () => create((await modelServer()).url, {}, {}),
    hanging: async () => create((await modelServer({ rules: [{ reply: { hang: true } }] })).url, {}, {}),
  });
}

describe("missing parts of a provider's answer", () => {
  const partial: ModelAnswer = {
    text: 'Well',
    toolCalls: [],
    finishReason: 'stop',
    model: 'local/any',
    costUsd: 0.25,
    durationMs: 1,
    waitedMs: 0,
    requests: 1,
  };

  async function answered(answer: ModelAnswer) {
    const models = { ask: async () => answer } as Partial<ModelDoor> as ModelDoor;
    const target = modelTarget.create(
      modelTarget.config.parse({ model: 'local/any' }),
      servicesOf({ models }),
    );
    const session = await target.open(worldOf(), new AbortController().signal);
    const entries: unknown[] = [];
    const failure = await (async () => {
      for await (const entry of session.respond({ parts: [{ text: 'hi' }] }, new AbortController().signal))
        entries.push(entry);
    })().catch((error: unknown) => error);
    return { entries, failure };
  }

  const spoken = { type: 'message', role: 'assistant', step: 1, parts: [{ text: 'Well' }] };
  const spent = { type: 'usage', model: 'local/any', step: 1, costUsd: 0.25 };

  test('an answer without tokens keeps its cost', async () => {
    expect(await answered(partial)).toEqual({ entries: [spoken, spent], failure: undefined });
    const { entries } = await answered({ ...partial, costUsd: null });
    expect(entries).toEqual([spoken]);
  });

  test('an answer that the provider ended early is an error, with its text and cost', async () => {
    const { entries, failure } = await answered({
      ...partial,
      finishReason: 'error',
      rawFinishReason: 'engine_fault',
    });
    expect(entries).toEqual([spoken, spent]);
    expect(failure).toMatchObject({
      stage: 'target',
      kind: 'target-unavailable',
      detail: 'answer-broken-off',
      transient: true,
      message: 'local/any: the provider ended the answer with an error (engine_fault)',
    });
  });
});

function contentsOf(messages: unknown): readonly unknown[] {
  return (messages as readonly { role: string; content: unknown }[]).map(({ role, content }) => [
    role,
    content,
  ]);
}

describe.each(kinds)('$type', ({ create, model }) => {
  async function open(
    script: Script,
    config: object = {},
    world: Partial<World> & Partial<TargetServices> = {},
  ) {
    const { price, prompt, ...rest } = world;
    const server = await modelServer(script, { records: true });
    const target = create(server.url, config, given({ price, prompt }));
    return { session: await target.open(worldOf(rest), new AbortController().signal), server };
  }

  test('a prompt can be the first message of the user, instead of the question', async () => {
    const world = { prompt: 'Translate hello', vars: { __suffix: '.' } };
    const { session, server } = await open({}, { promptRole: 'user', system: 'Be brief.' }, world);
    await ask(session, 'hello');
    await ask(session, 'And now?');
    expect(server.requests.map(({ body }) => contentsOf(body['messages']))).toEqual([
      [
        ['system', 'Be brief.'],
        ['user', 'Translate hello.'],
      ],
      [
        ['system', 'Be brief.'],
        ['user', 'Translate hello.'],
        ['assistant', expect.any(String)],
        ['user', 'And now?'],
      ],
    ]);
  });

  test('an answer has its usage, its model and its cost', async () => {
    const { session } = await open(
      {
        rules: [
          { reply: { text: 'Hello', thinking: 'a greeting', usage: { input: 10, output: 4, reasoning: 1 } } },
        ],
      },
      {},
      { price: { input: 1_000_000, output: 1_000_000 } },
    );
    expect(await ask(session, 'hi')).toEqual({
      entries: [
        { type: 'message', role: 'assistant', phase: 'thinking', parts: [{ text: 'a greeting' }], step: 1 },
        { type: 'message', role: 'assistant', parts: [{ text: 'Hello' }], step: 1 },
        {
          type: 'usage',
          inputTokens: 10,
          cacheReadTokens: 0,
          reasoningTokens: 1,
          outputTokens: 4,
          totalTokens: 14,
          model,
          step: 1,
          costUsd: 14,
        },
      ],
      end: {},
    });
  });

  test('an unknown price gives an unknown cost', async () => {
    const { session } = await open({ rules: [{ reply: { text: 'Hello' } }] });
    const { entries } = await ask(session, 'hi');
    expect(entries.filter((entry) => entry.type === 'usage' && 'costUsd' in entry)).toEqual([]);
  });

  test('the conversation grows by both sides, after the system prompt and the messages before it', async () => {
    const history = [
      { role: 'system', parts: [{ text: 'Be brief.' }] },
      { role: 'user', parts: [{ text: 'where is it?' }] },
      { role: 'assistant', parts: [{ text: '' }], toolCalls: [{ tool: 'lookup_order', input: { id: 'A' } }] },
      { role: 'tool', parts: [{ json: { state: 'sent' } }], name: 'lookup_order' },
      { role: 'assistant', parts: [{ text: 'On its way.' }] },
    ] as const;
    const { session, server } = await open(
      { rules: [{ match: { last: 'one' }, reply: { text: 'first' } }] },
      { system: 'You help.', temperature: 0.5 },
      { history },
    );
    await ask(session, 'one');
    await ask(session, 'two');
    const [, last] = server.requests;
    expect(last?.body['temperature']).toBe(0.5);
    expect(last?.body['messages']).toEqual([
      { role: 'system', content: 'You help.' },
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'where is it?' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'call-1', type: 'function', function: { name: 'lookup_order', arguments: '{"id":"A"}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'call-1', content: '{"state":"sent"}' },
      { role: 'assistant', content: 'On its way.' },
      { role: 'user', content: 'one' },
      { role: 'assistant', content: 'first' },
      { role: 'user', content: 'two' },
    ]);
  });

  test('a declared tool that nothing answers ends the trial as a miss, with the call in the transcript', async () => {
    const { session } = await open(
      {
        rules: [
          { reply: { text: 'I look.', toolCalls: [{ name: 'lookup_order', input: { id: 'A' }, id: 'c1' }] } },
        ],
      },
      {},
      await toolsOf(TOOLS),
    );
    const turn = session.respond({ parts: [{ text: 'x' }] }, new AbortController().signal);
    const seen: unknown[] = [];
    const failing = (async () => {
      for await (const entry of turn) seen.push(entry);
    })();
    await expect(failing).rejects.toMatchObject({
      stage: 'world',
      kind: 'mock-miss',
      message: 'no mock matches the call lookup_order({"id":"A"}); no mock answers the tool lookup_order',
    });
    expect(seen).toMatchObject([
      { type: 'message', phase: 'commentary', parts: [{ text: 'I look.' }] },
      { type: 'usage' },
      { type: 'tool-call', callId: 'c1', name: 'lookup_order', input: { id: 'A' }, step: 1 },
    ]);
  });

  test('an unknown tool and invalid JSON arguments are answered with an error, and the model continues', async () => {
    const calls = [
      { name: 'nothing', id: 'c1' },
      { name: 'lookup_order', rawInput: '{"id"', id: 'c2' },
    ];
    const { session, server } = await open(
      { rules: [{ replies: [{ toolCalls: calls }, { text: 'sorry' }, { text: 'sorry' }] }] },
      {},
      await toolsOf(TOOLS),
    );
    const { entries } = await ask(session, 'x');
    expect(entries.filter(({ type }) => type === 'tool-result')).toEqual([
      {
        type: 'tool-result',
        callId: 'c1',
        output: {
          error: {
            code: 'unknown_tool',
            message: 'unknown tool nothing; known tools: lookup_order, hand_over',
          },
        },
        failed: true,
        step: 1,
      },
      {
        type: 'tool-result',
        callId: 'c2',
        output: {
          error: { code: 'invalid_arguments', message: 'invalid arguments: expected a JSON object' },
        },
        failed: true,
        step: 1,
      },
    ]);
    expect(entries.at(-2)).toMatchObject({ parts: [{ text: 'sorry' }], step: 2 });
    expect(JSON.stringify(server.requests[1]?.body)).toContain('unknown_tool');
  });

  test('calls of a step are answered one after another, and the model continues with the answers', async () => {
    const calls = ['A', 'B'].map((id) => ({ name: 'lookup_order', input: { id }, id: `c${id}` }));
    const mock = { tool: 'lookup_order', match: 'any' } as const;
    const { session, server } = await open(
      { rules: [{ replies: [{ toolCalls: calls }, { text: 'done' }] }] },
      {},
      await toolsOf(TOOLS, [
        { ...mock, times: 1, answer: { result: 'first' } },
        { ...mock, answer: { error: { code: 'gone', message: 'Gone' } } },
      ]),
    );
    const { entries } = await ask(session, 'x');
    expect(entries.filter(({ type }) => type === 'tool-result' || type === 'message')).toEqual([
      { type: 'tool-result', callId: 'cA', output: 'first', step: 1 },
      {
        type: 'tool-result',
        callId: 'cB',
        output: { error: { code: 'gone', message: 'Gone' } },
        failed: true,
        step: 1,
      },
      { type: 'message', role: 'assistant', parts: [{ text: 'done' }], step: 2 },
    ]);
    expect(JSON.stringify(server.requests[1]?.body['messages'])).toContain('first');
  });

  test('a terminating tool ends the conversation after its step, without another question to the model', async () => {
    const { session, server } = await open(
      { rules: [{ reply: { toolCalls: [{ name: 'hand_over', id: 'c1' }] } }] },
      {},
      await toolsOf(TOOLS),
    );
    const { entries, end } = await ask(session, 'x');
    expect(end).toEqual({ ended: { reason: 'tool:hand_over' } });
    expect(entries.slice(1)).toEqual([
      { type: 'tool-call', callId: 'c1', name: 'hand_over', input: {}, step: 1 },
      { type: 'tool-result', callId: 'c1', output: {}, step: 1 },
    ]);
    expect(server.counts().total).toBe(1);
  });

  test('text next to a terminating tool call is the answer', async () => {
    const { session } = await open(
      { rules: [{ reply: { text: 'Goodbye.', toolCalls: [{ name: 'hand_over', id: 'c1' }] } }] },
      {},
      await toolsOf(TOOLS),
    );
    const { entries } = await ask(session, 'x');
    expect(entries[0]).toEqual({
      type: 'message',
      role: 'assistant',
      step: 1,
      parts: [{ text: 'Goodbye.' }],
    });
  });

  test('17 steps with a limit of 16 error, and the 17th is never requested', async () => {
    const { session, server } = await open(
      { rules: [{ reply: { toolCalls: [{ name: 'nothing' }] } }] },
      {},
      await toolsOf(TOOLS),
    );
    await expect(ask(session, 'x')).rejects.toMatchObject({
      kind: 'max-steps',
      limit: { kind: 'max-steps', ceiling: 16, reached: 17 },
    });
    expect(server.counts().total).toBe(16);
  });

  test('streamed pieces are signs of life; without streaming there are no signs', async () => {
    for (const stream of [true, false]) {
      let pulses = 0;
      const { session } = await open(
        { rules: [{ reply: { text: 'a longer text of several pieces' } }] },
        { stream },
        { pulse: () => void (pulses += 1) },
      );
      await ask(session, 'x');
      expect(pulses > 3).toBe(stream);
    }
  });

  test('files are inlined, images need leave', async () => {
    const directory = temporaryFolder();
    mkdirSync(join(directory, 'docs'));
    writeFileSync(join(directory, 'docs/a.txt'), 'A\n');
    writeFileSync(join(directory, 'b.png'), 'png');
    const server = await modelServer({}, { records: true });
    const said = [
      { text: 'see' },
      { file: join(directory, 'docs/a.txt') },
      { image: join(directory, 'b.png') },
    ];
    const sessionWith = (config: object) =>
      create(server.url, config, { directory }).open(worldOf(), new AbortController().signal);
    await ask(await sessionWith({ images: true }), said);
    await expect(ask(await sessionWith({}), said)).rejects.toMatchObject({ detail: 'image-refused' });
    expect(server.requests.map(({ body }) => body['messages'])).toEqual([
      [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'see' },
            { type: 'text', text: '<file path="docs/a.txt">\nA\n</file>' },
            { type: 'image_url', image_url: { url: 'data:image/png;base64,cG5n' } },
          ],
        },
      ],
    ]);
  });

  test('a cut answer is an answer, and noted', async () => {
    const { session } = await open({ rules: [{ reply: { text: 'half an ans', finish: 'length' } }] });
    expect((await ask(session, 'x')).end).toEqual({
      notes: ['an answer of the model was cut off at the limit of output tokens'],
    });
  });

  test('a failure of the model is the error of the target', async () => {
    const { session } = await open({ models: ['another'] });
    await expect(ask(session, 'x')).rejects.toMatchObject({ stage: 'target', kind: 'model-rejected' });
  });
});

test('keys that only one of the two has are problems of the other', () => {
  expect(modelTarget.config.safeParse({ model: 'gpt-4o' }).success).toBe(false);
  expect(modelTarget.config.safeParse({ model: 'openai/gpt-4o', baseUrl: 'http://x' }).success).toBe(false);
  expect(openaiCompatible.config.safeParse({ model: 'x' }).success).toBe(false);
  expect(openaiCompatible.config.safeParse({ model: 'x', baseUrl: 'ftp://x' }).success).toBe(false);
});
