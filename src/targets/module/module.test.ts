import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';

import {
  ask,
  artifactsIn,
  servicesOf,
  targetContract,
  temporaryFolder,
  worldOf,
} from '../../../test/contracts/target.ts';
import type { Target, World } from '../../core/target.ts';
import { countStarted } from '../../../test/support/started-processes.ts';
import { moduleTarget } from './module.ts';

const { signal } = new AbortController();

async function targetOf(
  source: string,
  config: object = {},
): Promise<Target & { readonly directory: string }> {
  const directory = temporaryFolder();
  await writeFile(join(directory, 'agent.ts'), source);
  const checked = moduleTarget.config.parse({ module: './agent.ts', isolate: 'trial', ...config });
  return { ...moduleTarget.create(checked, servicesOf({ directory })), directory };
}

async function sessionOf(source: string, world: World = worldOf(), config: object = {}) {
  return await (await targetOf(source, config)).open(world, signal);
}

targetContract('module', {
  answering: () => targetOf('export default async () => "hello";'),
  hanging: () => targetOf('export default () => new Promise(() => { setInterval(() => {}, 1000); });'),
});

const textEntry = (text: string) => ({ type: 'message', role: 'assistant', parts: [{ text }] });

describe('the input of a module', () => {
  test('a prompt can be its first message, with the texts around the question', async () => {
    const directory = temporaryFolder();
    await writeFile(join(directory, 'agent.ts'), 'export default (input) => JSON.stringify(input);');
    const config = moduleTarget.config.parse({ module: './agent.ts', promptRole: 'user' });
    const target = moduleTarget.create(config, servicesOf({ directory, prompt: 'Describe {{ vars.city }}' }));
    onTestFinished(async () => await target[Symbol.asyncDispose]?.());
    const world = worldOf({ vars: { city: 'Rome', __prefix: 'Please: ' } });
    await using session = await target.open(world, signal);
    const text = JSON.stringify({
      messages: [{ role: 'user', content: 'Please: Describe Rome' }],
      trial: world.trial,
    });
    expect((await ask(session, 'Rome')).entries).toEqual([textEntry(text)]);
  });

  test('the variables of the test that the config names', async () => {
    const world = worldOf({ vars: { topic: 'tea', expected: 'secret', more: [1] } });
    const source = 'export default ({ vars }) => JSON.stringify(vars);';
    await using session = await sessionOf(source, world, { vars: ['topic', 'more', 'none'] });
    expect((await ask(session, 'x')).entries).toEqual([textEntry('{"topic":"tea","more":[1]}')]);
  });

  test('all messages so far, its own unchanged, and the trial', async () => {
    const world = worldOf({
      caseId: 'c1',
      history: [{ role: 'system', parts: [{ text: 'be brief' }] }],
      workspace: { directory: temporaryFolder() },
    });
    const source = `export default async (input, { signal }) => JSON.stringify([input, signal.aborted, process.cwd()]);`;
    await using session = await sessionOf(source, world);
    const first = await ask(session, 'one');
    const answer = (first.entries[0] as ReturnType<typeof textEntry>).parts[0]?.text ?? '';
    const workspace = world.workspace;
    expect(JSON.parse(answer)).toEqual([
      {
        messages: [
          { role: 'system', content: 'be brief' },
          { role: 'user', content: 'one' },
        ],
        workspace,
        trial: world.trial,
      },
      false,
      workspace?.directory,
    ]);
    const second = await ask(session, 'two');
    const again = JSON.parse((second.entries[0] as ReturnType<typeof textEntry>).parts[0]?.text ?? '') as [
      { messages: unknown },
    ];
    expect(again[0].messages).toEqual([
      { role: 'system', content: 'be brief' },
      { role: 'user', content: 'one' },
      { role: 'assistant', content: answer },
      { role: 'user', content: 'two' },
    ]);
  });

  test('a process of its own: the allowed environment, the names of the trial, and state that lasts for the session', async () => {
    const artifacts = artifactsIn(temporaryFolder());
    const world = worldOf({ caseId: 'c1', marker: 'm1', artifacts });
    const source = `let turns = 0; export default () => {
      const names = Object.entries(process.env).filter(([name]) => name.startsWith('ASSAY_')).sort();
      return { text: JSON.stringify([++turns, Object.fromEntries(names)]) };
    };`;
    const target = await targetOf(source);
    await using one = await target.open(world, signal);
    await using other = await target.open(worldOf(), signal);
    await ask(one, 'x');
    const { entries } = await ask(one, 'y');
    const environment = {
      ASSAY_ARTIFACT_DIR: artifacts.directory(),
      ASSAY_ATTEMPT: 'm1',
      ASSAY_CASE_ID: 'c1',
      ASSAY_OUTPUT_DIR: artifacts.directory(),
      ASSAY_RUN_ID: '20250101T000000Z-abcdef',
      ASSAY_TARGET_ID: 'target',
    };
    expect(entries).toEqual([textEntry(JSON.stringify([2, environment]))]);
    expect(JSON.stringify((await ask(other, 'x')).entries)).toContain('[1,');
  });

  test('files of a message are included in its text', async () => {
    const world = worldOf({ workspace: { directory: temporaryFolder() } });
    const path = join(world.workspace?.directory ?? '', 'a.txt');
    await writeFile(path, 'content');
    await using session = await sessionOf('export default ({ messages }) => messages[0].content;', world);
    const { entries } = await ask(session, [{ text: 'read' }, { file: path }]);
    expect(entries).toEqual([textEntry('read\n<file path="a.txt">\ncontent\n</file>')]);
  });
});

describe('the answer of a module', () => {
  test('tokens of a named model have its price, unless the answer or the config gives a cost', async () => {
    const source = `export default ({ messages }) => ({ text: 'x', usage: { inputTokens: 1000, outputTokens: 100, ...JSON.parse(messages.at(-1).content) } });`;
    const directory = temporaryFolder();
    await writeFile(join(directory, 'agent.ts'), source);
    const models = {
      ...servicesOf().models,
      priceOf: async ({ model }: { model: string }) =>
        model === 'openai/gpt-4o' ? { input: 2, output: 10 } : null,
    };
    const services = servicesOf({ directory, models });
    const config = moduleTarget.config.parse({ module: './agent.ts', isolate: 'trial' });
    const costOf = async (usage: object, given = services) => {
      await using session = await moduleTarget.create(config, given).open(worldOf(), signal);
      const { entries } = await ask(session, JSON.stringify(usage));
      return entries.flatMap((entry) => (entry.type === 'usage' ? [entry.costUsd] : []));
    };
    expect(await costOf({ model: 'openai/gpt-4o' })).toEqual([0.003]);
    expect(await costOf({ model: 'openai/gpt-4o', costUsd: 0.5 })).toEqual([0.5]);
    expect(await costOf({ model: 'nobody/knows' })).toEqual([undefined]);
    expect(await costOf({})).toEqual([undefined]);
    const price = { input: 1, output: 1 };
    expect(await costOf({ model: 'openai/gpt-4o' }, { ...services, price })).toEqual([undefined]);
  });

  test('messages with tool calls and usage become entries', async () => {
    const source = `export default () => ({
      output: [
        { role: 'assistant', tool_calls: [{ tool: 'search', input: { q: 1 }, output: 'hit', id: 's1', duration_ms: 5 }] },
        { role: 'assistant', content: 'found' },
      ],
      usage: { inputTokens: 10, cacheReadTokens: 4, outputTokens: 3, costUsd: 0.5, model: 'm' },
    });`;
    await using session = await sessionOf(source);
    expect(await ask(session, 'x')).toEqual({
      entries: [
        { type: 'tool-call', callId: 's1', name: 'search', input: { q: 1 } },
        { type: 'tool-result', callId: 's1', output: 'hit', durationMs: 5 },
        textEntry('found'),
        {
          type: 'usage',
          inputTokens: 10,
          cacheReadTokens: 4,
          outputTokens: 3,
          totalTokens: 13,
          model: 'm',
          costUsd: 0.5,
        },
      ],
      end: {},
    });
  });

  test('its printed output is a log and not an answer', async () => {
    const artifacts = artifactsIn(temporaryFolder());
    const world = worldOf({ artifacts });
    const source = `console.log('to the log'); export default () => { process.stdout.write('more'); return 'answer'; };`;
    const session = await sessionOf(source, world);
    expect((await ask(session, 'x')).entries).toEqual([textEntry('answer')]);
    await session[Symbol.asyncDispose]();
    expect(await readFile(join(artifacts.directory(), 'stderr.log'), 'utf8')).toBe('to the log\nmore');
  });

  test('an answer of any size and any text arrives whole', async () => {
    await using session = await sessionOf(`export default () => '\\u2028é\\n'.repeat(1_000_000);`);
    expect((await ask(session, 'x')).entries).toEqual([textEntry('\u2028é\n'.repeat(1_000_000))]);
  });

  test('no answer at all breaks the contract', async () => {
    await using session = await sessionOf('export default () => undefined;');
    await expect(ask(session, 'x')).rejects.toMatchObject({
      stage: 'target',
      kind: 'contract',
      message: 'invalid answer at the top: expected a text, or an object with text or output',
    });
  });
});

describe('modules that break', () => {
  test('a module that throws is a crash with its place, and the session continues', async () => {
    const source = `let turn = 0;\nexport default () => {\n  if (turn++ === 0) throw new Error('no idea');\n  return 'better';\n};`;
    await using session = await sessionOf(source);
    await expect(ask(session, 'x')).rejects.toMatchObject({
      stage: 'target',
      kind: 'runner-crash',
      message: expect.stringMatching(/^the module of target target threw: Error: no idea\n[^]*agent\.ts:3:/),
    });
    expect((await ask(session, 'y')).entries).toEqual([textEntry('better')]);
  });

  test('an unreadable answer breaks the contract with one sentence, and the session continues', async () => {
    const source = `const answers = [
      { get text() { throw new Error('not yet'); } },
      { text: 'x', usage: { inputTokens: 1n, outputTokens: 1 } },
      'better',
    ];
    export default () => answers.shift();`;
    await using session = await sessionOf(source);
    const sentence = 'the answer of the module of target target cannot be written as JSON';
    await expect(ask(session, 'x')).rejects.toMatchObject({
      kind: 'contract',
      message: `${sentence}: not yet`,
      hint: 'return a text, or an object of plain values',
    });
    await expect(ask(session, 'y')).rejects.toMatchObject({
      kind: 'contract',
      message: `${sentence}: Do not know how to serialize a BigInt`,
    });
    expect((await ask(session, 'z')).entries).toEqual([textEntry('better')]);
  });

  test('the stack of an error contains only frames of the module', async () => {
    await using session = await sessionOf(`export default () => { throw new Error('no idea'); };`);
    const error: unknown = await ask(session, 'x').catch((thrown: unknown) => thrown);
    expect(String(error)).toMatch(/agent\.ts:1:/);
    expect(String(error)).not.toMatch(/module-host|node:internal/);
  });

  test('one that ends its process is a crash with the end of stderr', async () => {
    await using session = await sessionOf(
      `export default () => { console.error('out of luck'); process.exit(7); };`,
    );
    const crash = {
      kind: 'runner-crash',
      message:
        'the module of target target ended its process with exit code 7 in the middle of the conversation; the end of its stderr:\nout of luck',
    };
    await expect(ask(session, 'x')).rejects.toMatchObject(crash);
    await expect(ask(session, 'y')).rejects.toMatchObject(crash);
  });

  test('one that is killed is a crash that names the signal', async () => {
    await using session = await sessionOf(
      `export default () => process.kill(process.pid, 'SIGKILL') && new Promise(() => {});`,
    );
    await expect(ask(session, 'x')).rejects.toThrow('with the signal SIGKILL');
  });

  test('a module without a default export fails with an example, and leaves no process', async () => {
    const started = countStarted();
    const target = await targetOf('export const agent = 1;');
    await expect(target.open(worldOf(), signal)).rejects.toMatchObject({
      kind: 'contract',
      detail: 'no-default-export',
      message: `${target.directory}/agent.ts has no function as its default export`,
      hint: "write export default async ({ messages }, { signal }) => 'the answer'",
    });
    expect(started()).toBe(0);
  });

  test('one that does not load is a crash that shows why', async () => {
    const target = await targetOf('import "./missing.ts"; export default () => "";');
    await expect(target.open(worldOf(), signal)).rejects.toMatchObject({
      kind: 'runner-crash',
      message: expect.stringMatching(/threw: [^]*missing\.ts/),
    });
  });

  test('one that prints without end is ended', async () => {
    const source = `export default () => { for (;;) process.stderr.write('x'.repeat(65536)); };`;
    await using session = await sessionOf(source, worldOf(), { maxOutputBytes: 100_000 });
    await expect(ask(session, 'x')).rejects.toThrow('printed more than 100000 bytes and was ended');
  });
});

test('the module gets an abort before its process ends', async () => {
  const file = join(temporaryFolder(), 'told');
  const source = `import { writeFileSync } from 'node:fs';
    export default (_, { signal }) => new Promise((resolve) => {
      signal.addEventListener('abort', () => { writeFileSync(${JSON.stringify(file)}, String(signal.reason)); resolve(''); });
      setInterval(() => {}, 1000);
      console.error('listening');
    });`;
  const controller = new AbortController();
  let pulse = (): void => {};
  const session = await sessionOf(source, worldOf({ pulse: () => pulse() }));
  pulse = () => controller.abort(new Error('time is up'));
  await expect(ask(session, 'x', controller.signal)).rejects.toThrow('time is up');
  await session[Symbol.asyncDispose]();
  expect(existsSync(file)).toBe(true);
});

test('the module is a file that counts, and unknown keys are problems', () => {
  const config = moduleTarget.config.parse({ module: './agent.ts' });
  expect(config).toEqual({
    module: './agent.ts',
    isolate: 'target',
    images: false,
    maxOutputBytes: 32 * 2 ** 20,
  });
  expect(moduleTarget.files?.(config)).toEqual(['./agent.ts']);
  expect(moduleTarget.config.safeParse({ module: './a.ts', modul: 1 }).success).toBe(false);
});
