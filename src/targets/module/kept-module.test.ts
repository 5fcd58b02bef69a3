import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, onTestFinished, test } from 'vitest';

import {
  artifactsIn,
  ask,
  servicesOf,
  targetContract,
  temporaryFolder,
  worldOf,
} from '../../../test/contracts/target.ts';
import type { Target } from '../../core/target.ts';
import { countStarted } from '../../../test/support/started-processes.ts';
import { moduleTarget } from './module.ts';

const { signal } = new AbortController();

async function targetOf(source: string, config: object = {}): Promise<Target> {
  const directory = temporaryFolder();
  await writeFile(join(directory, 'agent.ts'), source);
  const checked = moduleTarget.config.parse({ module: './agent.ts', ...config });
  const target = moduleTarget.create(checked, servicesOf({ directory }));
  onTestFinished(async () => await target[Symbol.asyncDispose]?.());
  return target;
}

targetContract('module, kept', {
  answering: () => targetOf('export default async () => "hello";'),
  hanging: () => targetOf('export default () => new Promise(() => { setInterval(() => {}, 1000); });'),
});

const said = async (session: Awaited<ReturnType<Target['open']>>, text: string, until = signal) =>
  (await ask(session, text, until)).entries.map((entry) => ('parts' in entry ? entry.parts : []));

/** Says which process answers which question of it. */
const COUNTING = `let asked = 0; export default ({ messages }) => \`\${process.pid} \${++asked} \${messages.at(-1).content}\`;`;

describe('a kept process', () => {
  test('answers all sessions, each with its own messages', async () => {
    const target = await targetOf(
      `let waiting = []; export default ({ messages, trial }) => new Promise((resolve) => {
        waiting.push(() => resolve(\`\${process.pid} \${trial.caseId} \${messages.length}\`));
        if (waiting.length === 10) for (const go of waiting) go();
      });`,
    );
    const sessions = await Promise.all(
      Array.from({ length: 10 }, (_, index) => target.open(worldOf({ caseId: `c${index}` }), signal)),
    );
    const answers = await Promise.all(sessions.map((session) => said(session, 'x')));
    const words = answers.map(([parts]) =>
      JSON.stringify(parts)
        .replace(/.*"text":"(.*)".*/, '$1')
        .split(' '),
    );
    expect(new Set(words.map(([pid]) => pid)).size).toBe(1);
    expect(words.map(([, caseId, length]) => [caseId, length])).toEqual(
      Array.from({ length: 10 }, (_, index) => [`c${index}`, '1']),
    );
  });

  test('that ends in the middle of ten sessions errors those in it, and the next session has a new process', async () => {
    const target = await targetOf(
      `export default ({ messages }) => {
        if (messages.at(-1).content === 'die') process.exit(3);
        return messages.at(-1).content === 'wait' ? new Promise(() => setInterval(() => {}, 1000)) : String(process.pid);
      };`,
    );
    const sessions = await Promise.all(Array.from({ length: 10 }, () => target.open(worldOf(), signal)));
    const crash = {
      kind: 'runner-crash',
      message: expect.stringContaining('ended its process with exit code 3'),
    };
    const asked = sessions.map((session, index) => said(session, index === 4 ? 'die' : 'wait'));
    expect(await Promise.allSettled(asked)).toMatchObject(sessions.map(() => ({ reason: crash })));
    await using next = await target.open(worldOf(), signal);
    expect(await said(next, 'x')).toEqual([[{ text: expect.stringMatching(/^\d+$/) }]]);
  });

  test('goes on when one session is cancelled, whose question gets the abort', async () => {
    const told = join(temporaryFolder(), 'told');
    const target = await targetOf(
      `import { writeFileSync } from 'node:fs';
      export default ({ messages }, { signal }) => messages.at(-1).content === 'quick' ? 'done' : new Promise(() => {
        signal.addEventListener('abort', () => writeFileSync(${JSON.stringify(told)}, String(signal.reason)));
        console.error('listening');
      });`,
    );
    const controller = new AbortController();
    const slow = await target.open(
      worldOf({ pulse: () => controller.abort(new Error('time is up')) }),
      signal,
    );
    await using other = await target.open(worldOf(), signal);
    await expect(said(slow, 'slow', controller.signal)).rejects.toThrow('time is up');
    await slow[Symbol.asyncDispose]();
    expect(await said(other, 'quick')).toEqual([[{ text: 'done' }]]);
    expect(existsSync(told)).toBe(true);
  });

  test('that blocks is ended when a session is cancelled, and started again', async () => {
    const target = await targetOf(
      `export default ({ messages }) => {
        if (messages.at(-1).content === 'x') return 'fine';
        console.error('blocking');
        for (;;);
      };`,
    );
    const controller = new AbortController();
    const blocked = await target.open(
      worldOf({ pulse: () => controller.abort(new Error('time is up')) }),
      signal,
    );
    const other = await target.open(worldOf(), signal);
    await expect(said(blocked, 'block', controller.signal)).rejects.toThrow('time is up');
    await expect(said(other, 'x')).rejects.toMatchObject({
      message: expect.stringContaining('did not react to the end of another session'),
      hint: expect.stringContaining('isolate: trial'),
    });
    await using next = await target.open(worldOf(), signal);
    expect(await said(next, 'x')).toEqual([[{ text: 'fine' }]]);
  });

  test('that prints without end is ended', async () => {
    const target = await targetOf(
      `export default async () => { for (;;) await new Promise((next) => process.stderr.write('x'.repeat(65536), next)); };`,
      { maxOutputBytes: 100_000 },
    );
    await using session = await target.open(worldOf(), signal);
    await expect(said(session, 'x')).rejects.toThrow('printed more than 100000 bytes and was ended');
  });

  test('is not kept for a module that does not load, and ends with its target', async () => {
    const started = countStarted();
    const broken = await targetOf('import "./missing.ts"; export default () => "";');
    for (const _ of [1, 2])
      await expect(broken.open(worldOf(), signal)).rejects.toMatchObject({
        kind: 'runner-crash',
        message: expect.stringMatching(/threw: [^]*missing\.ts/),
      });
    expect(started()).toBe(0);
    const target = await targetOf(COUNTING);
    await (await target.open(worldOf(), signal))[Symbol.asyncDispose]();
    expect(started()).toBe(1);
    await target[Symbol.asyncDispose]?.();
    expect(started()).toBe(0);
  });

  test('writes what it prints to the log of the session', async () => {
    const artifacts = artifactsIn(temporaryFolder());
    const target = await targetOf(`export default () => { console.log('to the log'); return 'answer'; };`);
    const session = await target.open(worldOf({ artifacts }), signal);
    await said(session, 'x');
    await session[Symbol.asyncDispose]();
    expect(await readFile(join(artifacts.directory(), 'stderr.log'), 'utf8')).toBe('to the log\n');
  });

  test('writes all of it when the answer is read first', async () => {
    const told = join(temporaryFolder(), 'told');
    const target = await targetOf(
      `import { writeFileSync } from 'node:fs';
      export default ({ messages }) => {
        if (messages.length === 1) return 'ready';
        console.log('to the log');
        setImmediate(() => writeFileSync(${JSON.stringify(told)}, ''));
        return 'answer';
      };`,
    );
    const artifacts = artifactsIn(temporaryFolder());
    const session = await target.open(worldOf({ artifacts }), signal);
    await said(session, 'first');
    const answered = said(session, 'second');
    // The question is sent without another look at the pipes; then this thread looks at them only when both are full.
    for (let steps = 0; steps < 1000; steps += 1) await undefined;
    execFileSync('sh', ['-c', 'until [ -e "$0" ]; do sleep 0.01; done', told], { timeout: 60_000 });
    await answered;
    await session[Symbol.asyncDispose]();
    expect(await readFile(join(artifacts.directory(), 'stderr.log'), 'utf8')).toBe('to the log\n');
  });

  test('is not used for a trial with a workspace, nor with `isolate: trial`', async () => {
    const answered = async (config: object, workspace?: { directory: string }) => {
      const target = await targetOf(COUNTING, config);
      const pids = [];
      for (const _ of [1, 2]) {
        await using session = await target.open(
          worldOf(workspace === undefined ? {} : { workspace }),
          signal,
        );
        pids.push(JSON.stringify(await said(session, 'x')));
      }
      return new Set(pids.map((each) => /\d+/.exec(each)?.[0])).size;
    };
    expect(await answered({})).toBe(1);
    expect(await answered({ isolate: 'trial' })).toBe(2);
    expect(await answered({}, { directory: temporaryFolder() })).toBe(2);
  });
});
