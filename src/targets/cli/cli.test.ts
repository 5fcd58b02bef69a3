import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';

import { describe, expect, onTestFinished, test } from 'vitest';

import { artifactsIn, ask, servicesOf, temporaryFolder, worldOf } from '../../../test/contracts/target.ts';
import type { Part } from '../../core/message.ts';
import { MeasurementError } from '../../core/errors.ts';
import type { Sandbox } from '../../core/sandbox.ts';
import type { World } from '../../core/target.ts';
import { cli } from './cli.ts';

const { signal } = new AbortController();

/** A program in JavaScript that has `stdin` and `argv`. */
function node(code: string, ...args: string[]): string[] {
  const reading = `const argv = process.argv.slice(1); const fs = require('node:fs');`;
  return [process.execPath, '-e', `${reading} ${code}`, '--', ...args];
}

const STDIN = `fs.readFileSync(0, 'utf8')`;

function programOf(config: object, directory = temporaryFolder()) {
  return cli.create(cli.config.parse(config), servicesOf({ directory, name: 'prog' }));
}

async function answerTo(
  config: object,
  message: string | readonly Part[] = 'Hi',
  world: World = worldOf(),
  directory = temporaryFolder(),
) {
  await using session = await programOf(config, directory).open(world, signal);
  return await ask(session, message);
}

async function textOf(...given: Parameters<typeof answerTo>): Promise<unknown> {
  const { entries } = await answerTo(...given);
  const [entry] = entries;
  if (entries.length !== 1 || entry?.type !== 'message' || !('text' in entry.parts[0]!)) return entries;
  return entry.parts[0].text;
}

test('a prompt can be the message of the user, with the texts around the question', async () => {
  const command = node(`console.log(argv[0] + '|' + process.env.ASSAY_SYSTEM_PROMPT)`, '{PROMPT}');
  const config = cli.config.parse({ command, promptRole: 'user' });
  const services = servicesOf({ directory: temporaryFolder(), prompt: 'Describe {{ vars.city }}' });
  const world = worldOf({ vars: { city: 'Rome', __suffix: '!' } });
  await using session = await cli.create(config, services).open(world, signal);
  const { entries } = await ask(session, 'Rome');
  expect(entries).toEqual([
    { type: 'message', role: 'assistant', parts: [{ text: 'Describe Rome!|undefined' }] },
  ]);
});

test('an answer counts for nothing when the sandbox of its program failed, even with exit code 0', async () => {
  const failure = new MeasurementError('output was lost', { stage: 'target', kind: 'sandbox' });
  const sandbox: Sandbox = {
    level: 'namespace',
    unenforced: () => [],
    enter: async (start) => ({
      start,
      failureOf: async () => failure,
      [Symbol.asyncDispose]: async () => {},
    }),
  };
  const directory = temporaryFolder();
  const config = cli.config.parse({ command: node(`console.log('half')`) });
  const agent = cli.create(config, { ...servicesOf({ directory, name: 'prog' }), sandbox });
  const workspace = { directory };
  await using session = await agent.open({ ...worldOf(), workspace }, signal);
  await expect(ask(session, 'Hi')).rejects.toBe(failure);
});

describe('the input of the program', () => {
  test('the prompt comes on stdin, which is then closed', async () => {
    expect(await textOf({ command: node(`process.stdout.write('got ' + ${STDIN})`) })).toBe('got Hi');
  });

  test('a program that never reads its stdin is fine', async () => {
    expect(await textOf({ command: node(`console.log('done')`) }, 'x'.repeat(5_000_000))).toBe('done');
  });

  test('a prompt placeholder is one argument, byte for byte, and stdin is empty', async () => {
    const prompt = `it's "a" $HOME \`id\` {TEST_ID}\n-x`;
    const command = node(
      `process.stdout.write(JSON.stringify([argv, ${STDIN}]))`,
      'p={PROMPT}',
      '{TEST_ID}',
      '$HOME',
    );
    expect(JSON.parse((await textOf({ command }, prompt)) as string)).toEqual([
      [`p=${prompt}`, 'case', '$HOME'],
      '',
    ]);
  });

  test('an id with characters that no process can be started with has others in their place', async () => {
    const command = node(`process.stdout.write(argv[0] + ' ' + process.env.ASSAY_CASE_ID)`, '{TEST_ID}');
    expect(await textOf({ command }, 'Hi', worldOf({ caseId: 'a\0b' }))).toBe('a\ufffdb a\ufffdb');
  });

  test('{MESSAGES_FILE} names files and images by path, with any content', async () => {
    const folder = temporaryFolder();
    const [file, image] = [join(folder, 'scan.pdf'), join(folder, 'photo.png')];
    await writeFile(file, Buffer.from([0xff, 0x00, 0xfe]));
    await writeFile(image, Buffer.from([0x89, 0x50]));
    const command = node(`process.stdout.write(fs.readFileSync(argv[0]))`, '{MESSAGES_FILE}');
    const parts = [{ text: 'Compare' }, { file }, { image }];
    expect(JSON.parse((await textOf({ command, images: true }, parts)) as string)).toEqual([
      { role: 'user', content: `Compare\n${file}\n${image}` },
    ]);
  });

  test('values are quoted for a shell, and the shell keeps its own variables', async () => {
    const world = worldOf({ caseId: "a'; echo hacked; '", attempt: 3 });
    const command = 'X=ok; printf "%s|%s|%s|${X}" {PROMPT} {TEST_ID} {ATTEMPT}';
    expect(await textOf({ command }, "it's $X", world)).toBe("it's $X|a'; echo hacked; '|3|ok");
  });

  test.each([
    ['printf %s "$ASSAY_PROMPT"; cat'],
    [['sh', '-c', 'printf %s "$ASSAY_PROMPT"; cat']],
    [`sh -c 'printf %s "$ASSAY_PROMPT"; cat'`],
  ])('a command that names ASSAY_PROMPT gets the prompt in it and nothing on stdin: %j', async (command) => {
    const prompt = `it's "a"  $(echo run) \`id\`\n'`;
    expect(await textOf({ command }, prompt)).toBe(prompt);
  });

  test('a prompt that is too long for a variable is errored, with the other ways', async () => {
    const asking = answerTo({ command: 'printf %s "$ASSAY_PROMPT"' }, 'x'.repeat(200_000));
    await expect(asking).rejects.toMatchObject({
      kind: 'target-unavailable',
      detail: 'arguments-too-long',
      hint: 'make it read the prompt from stdin or {PROMPT_FILE} instead of {PROMPT} or $ASSAY_PROMPT',
    });
  });

  test.each([[{ command: ['echo', '{PROMPT}'] }], [{ command: 'printf %s "$ASSAY_PROMPT"' }]])(
    'a prompt with U+0000 is refused as an argument and as a variable, and is not a failure of the program: %j',
    async (config) => {
      await expect(answerTo(config, 'a\0b')).rejects.toMatchObject({
        kind: 'contract',
        detail: 'prompt-unusable',
        message: 'the prompt cannot be passed to target target: it contains the character U+0000',
        hint: 'change the input of the case, or make the program read the prompt from stdin',
      });
    },
  );

  test('files for the prompt and the messages exist only while the program runs', async () => {
    const history = [
      { role: 'system', parts: [{ text: 'Be brief.' }] },
      { role: 'assistant', parts: [], toolCalls: [{ tool: 'look', input: { q: 1 } }] },
      { role: 'tool', parts: [{ json: [5] }], name: 'look' },
    ] as const;
    const command = node(
      `const read = (path) => fs.readFileSync(path, 'utf8');
       console.log(JSON.stringify({ paths: argv, prompt: read(argv[0]), messages: JSON.parse(read(argv[1])) }))`,
      '{PROMPT_FILE}',
      '{MESSAGES_FILE}',
    );
    const { paths, ...seen } = JSON.parse((await textOf({ command }, 'Hi', worldOf({ history }))) as string);
    expect(seen).toEqual({
      prompt: [
        '<system>\nBe brief.\n</system>',
        '<assistant>\n<tool-call name="look">{"q":1}</tool-call>\n</assistant>',
        '<tool>\n[5]\n</tool>',
        'Hi',
      ].join('\n\n'),
      messages: [
        { role: 'system', content: 'Be brief.' },
        {
          role: 'assistant',
          content: '',
          tool_calls: [{ id: 'call-1', type: 'function', function: { name: 'look', arguments: '{"q":1}' } }],
        },
        { role: 'tool', content: [5], name: 'look', tool_call_id: 'call-1' },
        { role: 'user', content: 'Hi' },
      ],
    });
    expect(paths.map(existsSync)).toEqual([false, false]);
  });

  test('a second turn gets the conversation before it', async () => {
    await using session = await programOf({
      command: node(`process.stdout.write('[' + ${STDIN} + ']')`),
    }).open(worldOf(), signal);
    await ask(session, 'one');
    const { entries } = await ask(session, 'two');
    const text = '[<user>\none\n</user>\n\n<assistant>\n[one]\n</assistant>\n\ntwo]';
    expect(entries).toEqual([{ type: 'message', role: 'assistant', parts: [{ text }] }]);
  });

  test('the environment is that of the target and the variables of the trial, and nothing else', async () => {
    const folder = temporaryFolder();
    // Of this test alone: at the end, all processes with it are ended.
    const marker = crypto.randomUUID();
    const world = worldOf({ workspace: { directory: folder }, artifacts: artifactsIn(folder), marker });
    const environment = { PATH: '/usr/bin:/bin', MINE: '1' };
    const target = cli.create(
      cli.config.parse({ command: node(`console.log(JSON.stringify(process.env))`) }),
      servicesOf({ environment }),
    );
    await using session = await target.open(world, signal);
    const { entries } = await ask(session, 'Hi');
    const [entry] = entries;
    const text = entry?.type === 'message' && 'text' in entry.parts[0]! ? entry.parts[0].text : '';
    expect(JSON.parse(text)).toEqual({
      ...environment,
      ASSAY_ARTIFACT_DIR: folder,
      ASSAY_ATTEMPT: marker,
      ASSAY_CASE_ID: 'case',
      ASSAY_OUTPUT_DIR: folder,
      ASSAY_RUN_ID: '20250101T000000Z-abcdef',
      ASSAY_TARGET_ID: 'target',
      ASSAY_WORKSPACE: folder,
    });
  });

  test('it runs in the workspace, else in `cwd`, else next to the config', async () => {
    const [workspace, config] = [temporaryFolder(), temporaryFolder()];
    await mkdir(join(config, 'sub'));
    const command = node(`console.log(process.cwd() + ' ' + argv[0])`, '{WORKSPACE}');
    const inWorkspace = worldOf({ workspace: { directory: workspace } });
    expect(await textOf({ command, cwd: 'sub' }, 'Hi', inWorkspace, config)).toBe(
      `${workspace} ${workspace}`,
    );
    expect(await textOf({ command, cwd: 'sub' }, 'Hi', worldOf(), config)).toBe(
      `${config}/sub ${config}/sub`,
    );
    expect(await textOf({ command }, 'Hi', worldOf(), config)).toBe(`${config} ${config}`);
  });

  test.each([[['./tools/agent', 'x']], ['./tools/agent x']])(
    'a relative program is looked up beside the config, whatever the workspace: %j',
    async (command) => {
      const [workspace, config] = [temporaryFolder(), temporaryFolder()];
      await mkdir(join(config, 'tools'));
      await writeFile(join(config, 'tools/agent'), '#!/bin/sh\necho "$1 in $(pwd)"\n', { mode: 0o755 });
      const world = worldOf({ workspace: { directory: workspace } });
      expect(await textOf({ command }, 'Hi', world, config)).toBe(`x in ${workspace}`);
    },
  );

  test('files are staged into the workspace, named by path, and gone afterwards unless they were changed', async () => {
    const [source, workspace] = [temporaryFolder(), temporaryFolder()];
    await mkdir(join(source, 'other'));
    await writeFile(join(source, 'a b.txt'), 'one');
    await writeFile(join(source, 'other/a b.txt'), 'two');
    const message = [
      { text: 'Read' },
      { file: join(source, 'a b.txt') },
      { file: join(source, 'other/a b.txt') },
    ];
    const command = node(
      `fs.appendFileSync(argv[1], '!'); console.log(JSON.stringify({ argv, prompt: ${STDIN}, content: argv.map((path) => fs.readFileSync(path, 'utf8')) }))`,
      '{FILES}',
    );
    const staged = [join(workspace, '.assay/files/a b.txt'), join(workspace, '.assay/files/a b-2.txt')];
    const text = await textOf({ command }, message, worldOf({ workspace: { directory: workspace } }));
    expect(JSON.parse(text as string)).toEqual({
      argv: staged,
      prompt: `Read\n${staged[0]}\n${staged[1]}`,
      content: ['one', 'two!'],
    });
    expect(staged.map(existsSync)).toEqual([false, true]);
    expect(await readFile(join(source, 'other/a b.txt'), 'utf8')).toBe('two');
  });

  test('an image is refused unless the target takes images', async () => {
    const message = [{ image: '/pictures/cat.png' }];
    await expect(answerTo({ command: ['cat'] }, message)).rejects.toMatchObject({ detail: 'image-refused' });
    expect(await textOf({ command: ['cat'], images: true }, message)).toBe('/pictures/cat.png');
  });
});

describe('the answer', () => {
  test.each([
    ['hello\n', 'hello'],
    ['two lines\n\n', 'two lines\n'],
    ['', ''],
    ['[1, 2]', '[1, 2]'],
    ['{"answer": 42}\n', '{"answer": 42}'],
    ['{"text": ', '{"text": '],
  ])('stdout %j is the answer %j', async (stdout, answer) => {
    expect(await textOf({ command: node(`process.stdout.write(argv[0])`, stdout) })).toBe(answer);
  });

  test('a JSON object with output and usage becomes calls, results, messages and usage', async () => {
    const document = {
      text: 'Done',
      output: [
        { role: 'user', content: 'echo' },
        {
          role: 'assistant',
          content: 'Let me look',
          tool_calls: [
            { tool: 'search', input: { q: 'x' }, output: ['hit'], id: 'c9', duration_ms: 12 },
            { tool: 'fetch' },
          ],
        },
        { role: 'tool', name: 'fetch', content: 'page' },
        { role: 'assistant', content: 'Done' },
      ],
      token_usage: { input: 100, output: 20, cached: 40 },
      cost_usd: 0.5,
      duration_ms: 900,
    };
    const { entries, end } = await answerTo({ command: ['printf', '%s', JSON.stringify(document)] });
    expect(end).toEqual({ notes: ['the program reports a duration of 900 ms'] });
    expect(entries).toEqual([
      { type: 'message', role: 'assistant', phase: 'commentary', parts: [{ text: 'Let me look' }] },
      { type: 'tool-call', callId: 'c9', name: 'search', input: { q: 'x' } },
      { type: 'tool-result', callId: 'c9', output: ['hit'], durationMs: 12 },
      { type: 'tool-call', callId: 'call-2', name: 'fetch', input: {} },
      { type: 'tool-result', callId: 'call-2', output: 'page' },
      { type: 'message', role: 'assistant', parts: [{ text: 'Done' }] },
      {
        type: 'usage',
        inputTokens: 100,
        cacheReadTokens: 40,
        outputTokens: 20,
        totalTokens: 120,
        costUsd: 0.5,
      },
    ]);
  });

  test('the duration of a call is kept, whether its output is in the call, comes later, or never', async () => {
    const calls = [{ tool: 'a', duration_ms: 1 }, { tool: 'b', duration_ms: 2 }, { tool: 'c' }];
    const output = [
      { role: 'assistant', tool_calls: calls },
      { role: 'tool', name: 'b', content: 'page' },
      { role: 'assistant', content: 'Done' },
    ];
    const { entries } = await answerTo({ command: ['printf', '%s', JSON.stringify({ output })] });
    expect(entries).toEqual([
      { type: 'tool-call', callId: 'call-1', name: 'a', input: {} },
      { type: 'tool-result', callId: 'call-1', output: null, durationMs: 1 },
      { type: 'tool-call', callId: 'call-2', name: 'b', input: {} },
      { type: 'tool-call', callId: 'call-3', name: 'c', input: {} },
      { type: 'tool-result', callId: 'call-2', output: 'page', durationMs: 2 },
      { type: 'message', role: 'assistant', parts: [{ text: 'Done' }] },
    ]);
  });

  test('a cost without tokens is a cost, and the tokens stay unknown', async () => {
    const document = { text: 'Done', cost_usd: 0.5 };
    const { entries } = await answerTo({ command: ['printf', '%s', JSON.stringify(document)] });
    expect(entries).toEqual([
      { type: 'message', role: 'assistant', parts: [{ text: 'Done' }] },
      { type: 'usage', costUsd: 0.5 },
    ]);
  });

  test.each([
    [{ text: 5 }, 'text: expected a text, got 5'],
    [{ output: 'x' }, 'output: expected a list, got "x"'],
    [{ output: [{ content: 'x' }] }, 'output.0.role: expected a text, got nothing'],
    [
      { output: [{ role: 'assistant', tool_calls: [{ name: 'x' }] }] },
      'output.0.tool_calls.0.tool: expected a text, got nothing',
    ],
    [
      { text: 'x', token_usage: { input: 1 } },
      'token_usage.output: expected a number from 0 to 1000000000000, got nothing',
    ],
  ])('the JSON answer %j is refused at its first wrong place', async (document, problem) => {
    await expect(answerTo({ command: ['printf', '%s', JSON.stringify(document)] })).rejects.toMatchObject({
      stage: 'target',
      kind: 'contract',
      message: `invalid answer at ${problem}`,
    });
  });

  test('a program with {OUTPUT_FILE} answers in that file, and its stdout is saved too', async () => {
    const folder = temporaryFolder();
    const command = node(
      `console.log('chatter'); fs.writeFileSync(argv[0], 'from the file\\n')`,
      '{OUTPUT_FILE}',
    );
    expect(await textOf({ command }, 'Hi', worldOf({ artifacts: artifactsIn(folder) }))).toBe(
      'from the file',
    );
    expect(await readFile(join(folder, 'stdout.log'), 'utf8')).toBe('chatter\n');
  });

  test.each([
    [{ text: 'hello' }, []],
    [{ text: 'hello', trace: 'why' }, ['stdout.log']],
  ])('the answer %j is saved as a file only if the transcript lacks a part of it', async (document, kept) => {
    const folder = temporaryFolder();
    const command = ['printf', '%s', JSON.stringify(document)];
    expect(await textOf({ command }, 'Hi', worldOf({ artifacts: artifactsIn(folder) }))).toBe('hello');
    expect(await readdir(folder)).toEqual(kept);
  });

  test('an {OUTPUT_FILE} that was never written is an error', async () => {
    await expect(answerTo({ command: node('', '{OUTPUT_FILE}') })).rejects.toMatchObject({
      kind: 'contract',
      message: 'the program exited with 0 but wrote nothing to {OUTPUT_FILE}',
    });
  });

  test.each([
    ['a named pipe', `require('node:child_process').execFileSync('mkfifo', [argv[0]])`],
    ['a link to a device without an end', `fs.symlinkSync('/dev/zero', argv[0])`],
    ['a folder', `fs.mkdirSync(argv[0])`],
  ])('%s at {OUTPUT_FILE} is an error at once', async (_what, code) => {
    await expect(answerTo({ command: node(code, '{OUTPUT_FILE}') })).rejects.toMatchObject({
      kind: 'contract',
      message: expect.stringMatching(/^\{OUTPUT_FILE\} is not a readable file after the program ended/),
    });
  });

  test('more in {OUTPUT_FILE} than the target may answer is an error', async () => {
    const command = node(`fs.writeFileSync(argv[0], 'x'.repeat(101))`, '{OUTPUT_FILE}');
    await expect(answerTo({ command, maxOutputBytes: 100 })).rejects.toMatchObject({
      detail: 'output-limit',
      message: "the program's output on {OUTPUT_FILE} is larger than 100 bytes",
    });
  });

  test('for a plain answer, only stderr is kept as a file', async () => {
    const folder = temporaryFolder();
    const world = worldOf({ artifacts: artifactsIn(folder) });
    expect(await textOf({ command: node(`console.log('fine')`) }, 'Hi', world)).toBe('fine');
    expect(await readdir(folder)).toEqual([]);
    await answerTo({ command: node(`console.error('warning')`) }, 'Hi', world);
    expect(await readdir(folder)).toEqual(['stderr.log']);
  });
});

describe('a stream of entries', () => {
  test('entries are read line by line as they come', async () => {
    const gate = join(temporaryFolder(), 'gate');
    const first = { type: 'tool-call', callId: 'c', name: 'look', input: { q: 1 } };
    const rest = [
      '',
      JSON.stringify({ type: 'message', role: 'user', parts: [{ text: 'echo' }] }),
      JSON.stringify({ type: 'tool-result', callId: 'c', output: null, failed: true, id: 'e9', turn: 4 }),
      JSON.stringify({ type: 'usage', inputTokens: 1, outputTokens: 2, model: 'm' }),
      JSON.stringify({ type: 'end', reason: 'hung up' }),
      JSON.stringify({ type: 'message', role: 'assistant', parts: [{ text: 'Bye' }] }),
    ].join('\n');
    const command = node(
      `console.log(argv[0]); const wait = setInterval(() => {
         if (!fs.existsSync(argv[2])) return;
         clearInterval(wait); process.stdout.write(argv[1]);
       }, 5)`,
      JSON.stringify(first),
      rest,
      gate,
    );
    await using session = await programOf({ command, stream: 'jsonl' }).open(worldOf(), signal);
    const turn = session.respond({ parts: [{ text: 'Hi' }] }, signal);
    expect(await turn.next()).toEqual({ done: false, value: first });
    await writeFile(gate, '');
    const later = [];
    let next = await turn.next();
    for (; next.done !== true; next = await turn.next()) later.push(next.value);
    expect(later).toEqual([
      { type: 'tool-result', callId: 'c', output: null, failed: true },
      { type: 'usage', inputTokens: 1, outputTokens: 2, totalTokens: 3, model: 'm' },
      { type: 'message', role: 'assistant', parts: [{ text: 'Bye' }] },
    ]);
    expect(next.value).toEqual({ ended: { reason: 'hung up' } });
  });

  test('an invalid line ends the program with an error that names the line', async () => {
    const lines = `{"type":"message","role":"assistant","parts":[{"text":"a"}]}\nhello\n`;
    const command = node(`process.stdout.write(argv[0]); setInterval(() => {}, 1000)`, lines);
    await expect(answerTo({ command, stream: 'jsonl' })).rejects.toMatchObject({
      kind: 'contract',
      message: "line 2 of the program's stdout is not JSON: hello",
    });
    await expect(answerTo({ command: ['echo', '{"type":"tool-call"}'], stream: 'jsonl' })).rejects.toThrow(
      "line 1 of the program's stdout is not a transcript entry at callId: Invalid input: expected string, received undefined",
    );
  });

  test('a usage entry has both counts of tokens, or a cost alone', async () => {
    const streamed = (entry: object) =>
      answerTo({ command: ['echo', JSON.stringify(entry)], stream: 'jsonl' });
    const cost = { type: 'usage', costUsd: 0.5, model: 'm' };
    expect((await streamed(cost)).entries).toEqual([cost]);
    const wrong = 'is a usage entry without inputTokens and outputTokens, and without costUsd';
    await expect(streamed({ ...cost, inputTokens: 1 })).rejects.toThrow(wrong);
    await expect(streamed({ type: 'usage', model: 'm' })).rejects.toThrow(wrong);
  });

  test('a usage entry may be spelled as in a JSON answer', async () => {
    const line = { type: 'usage', input: 12, output_tokens: 3, cached: 2, cost_usd: 0.5, duration_ms: 1 };
    const { entries } = await answerTo({ command: ['echo', JSON.stringify(line)], stream: 'jsonl' });
    expect(entries).toEqual([
      { type: 'usage', inputTokens: 12, outputTokens: 3, totalTokens: 15, cacheReadTokens: 2, costUsd: 0.5 },
    ]);
  });

  test('entries before a crash are yielded', async () => {
    const line = `{"type":"message","role":"assistant","parts":[{"text":"a"}]}`;
    await using session = await programOf({
      command: node(`console.log(argv[0]); process.exitCode = 2`, line),
      stream: 'jsonl',
    }).open(worldOf(), signal);
    const turn = session.respond({ parts: [{ text: 'Hi' }] }, signal);
    expect((await turn.next()).value).toEqual(JSON.parse(line));
    await expect(turn.next()).rejects.toMatchObject({ kind: 'runner-crash' });
  });
});

describe('what goes wrong', () => {
  test('an exit code is a crash with the end of stderr, even after output', async () => {
    const folder = temporaryFolder();
    const command = node(
      `console.log('{"text":"fine"}'); console.error('x'.repeat(9000) + '\\nboom'); process.exitCode = 3`,
    );
    const failing = answerTo({ command }, 'Hi', worldOf({ artifacts: artifactsIn(folder) }));
    await expect(failing).rejects.toMatchObject({
      stage: 'target',
      kind: 'runner-crash',
      transient: false,
      message: `the program of target target ended with exit code 3; the end of its stderr:\n...${'x'.repeat(1995)}\nboom`,
    });
    expect((await readdir(folder)).sort()).toEqual(['stderr.log', 'stdout.log']);
  });

  test('a program killed by a signal is a crash that names it', async () => {
    await expect(answerTo({ command: node(`process.kill(process.pid, 'SIGKILL')`) })).rejects.toMatchObject({
      kind: 'runner-crash',
      message: 'the program of target target ended with the signal SIGKILL; it printed nothing to stderr',
    });
  });

  test.each([[['no-such-program-here', 'x']], ['no-such-program-here x']])(
    'a missing program is named: %j',
    async (command) => {
      await expect(answerTo({ command })).rejects.toMatchObject({
        stage: 'target',
        kind: 'target-unavailable',
        detail: 'missing-binary',
        transient: false,
        message: expect.stringContaining('no-such-program-here'),
        hint: 'install it, put it on PATH, or correct targets.target.command',
      });
    },
  );

  test('arguments too long for the system point at the other ways', async () => {
    await expect(answerTo({ command: ['echo', '{PROMPT}'] }, 'x'.repeat(3_000_000))).rejects.toMatchObject({
      kind: 'target-unavailable',
      detail: 'arguments-too-long',
      hint: 'make it read the prompt from stdin or {PROMPT_FILE} instead of {PROMPT} or $ASSAY_PROMPT',
    });
  });

  test('output beyond its bound ends the program', async () => {
    const command = node(`setInterval(() => process.stdout.write('x'.repeat(10000)), 1)`);
    await expect(answerTo({ command, maxOutputBytes: 50_000 })).rejects.toMatchObject({
      kind: 'contract',
      detail: 'output-limit',
      message: "the program's output on stdout or stderr is larger than 50000 bytes",
    });
  });

  test('every byte is a sign of life', async () => {
    let pulses = 0;
    await answerTo(
      { command: node(`console.error('a'); console.log('b')`) },
      'Hi',
      worldOf({ pulse: () => (pulses += 1) }),
    );
    expect(pulses).toBe(2);
  });
});

describe('the configuration', () => {
  test('an unknown placeholder is a problem at its place, with a suggestion', () => {
    expect(
      cli.config.safeParse({ command: ['x', '{PROMT} $HOME ${NAME} {lower}'] }).error?.issues,
    ).toMatchObject([
      { path: ['command', 1], message: 'unknown placeholder {PROMT}; did you mean {PROMPT}?' },
    ]);
    expect(cli.config.safeParse({ command: 'x {QQQQQQQQQ}' }).error?.issues).toMatchObject([
      {
        path: ['command'],
        message: expect.stringContaining(
          'unknown placeholder {QQQQQQQQQ}; known: PROMPT PROMPT_FILE FILES OUTPUT_FILE TEST_ID ATTEMPT WORKSPACE MESSAGES_FILE MCP_CONFIG',
        ),
      },
    ]);
  });
});

test.each([
  ['echo {prompt}', '{prompt}', 'PROMPT'],
  ['echo "{prompt}"', '{prompt}', 'PROMPT'],
  ["echo '{{prompt}}'", '{{prompt}}', 'PROMPT'],
  [['echo', '{{ input }}'], '{{ input }}', 'PROMPT'],
  [['echo', '{files}'], '{files}', 'FILES'],
])('%j has a placeholder of another tool, which is refused', (command, written, meant) => {
  const { error } = cli.config.safeParse({ command });
  expect(error?.issues.map(({ message }) => message)).toEqual([
    `unknown placeholder ${written}; did you mean {${meant}}?`,
  ]);
});

test.each(["jq '{prompt}'", 'echo ${prompt} {lower}', "awk '{print}'", 'mkdir {a,b}', 'git show stash@{1}'])(
  '%j is left to its program',
  (command) => {
    expect(cli.config.safeParse({ command }).success).toBe(true);
  },
);

describe('the healthcheck', () => {
  test('a command that exits with 0 is fit', async () => {
    const target = programOf({ command: ['cat'], healthcheck: { command: ['sh', '-c', 'exit 0'] } });
    expect(await target.prepare?.(signal)).toBeUndefined();
  });

  test.each([
    [{ command: 'echo broken >&2; exit 4' }, 'the command ended with exit code 4: broken'],
    [{ command: ['no-such-check'] }, 'no-such-check: program not found'],
    [{ command: ['sleep', '30'], timeoutMs: 100 }, 'the command timed out after 100 ms'],
  ])('%j fails with %j', async (healthcheck, problem) => {
    await expect(programOf({ command: ['cat'], healthcheck }).prepare?.(signal)).rejects.toMatchObject({
      kind: 'target-unavailable',
      message: `the healthcheck of target prog failed: ${problem}`,
    });
  });

  test('a URL must answer with 2xx', async () => {
    const server = createServer((request, response) =>
      response.writeHead(request.url === '/ok' ? 204 : 503).end(),
    );
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await programOf({ command: ['cat'], healthcheck: { url: `${base}/ok` } }).prepare?.(signal);
    await expect(
      programOf({ command: ['cat'], healthcheck: { url: `${base}/no` } }).prepare?.(signal),
    ).rejects.toThrow(`${base}/no answered with status 503`);
  });
});
