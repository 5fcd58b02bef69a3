import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { decodeUtf8 } from './decode-utf8.ts';
import { killAllNow, liveProcesses } from './live-processes.ts';
import { environOf, processIds } from './process-table.ts';
import { type ProcessSpec, runProcess } from './run-process.ts';
import { folderOfTest } from '../../../test/support/test-folders.ts';

const PATH = process.env['PATH'] ?? '';
const MARKER = 'PROCESS_TEST_MARKER';
const never = new AbortController().signal;
/** On a machine that is busy with other things as well. */
const SOON = { timeout: 30_000, interval: 5 };

let cwd: string;

beforeEach(async () => {
  cwd = folderOfTest('run-process-');
});

afterEach(async () => {
  killAllNow();
  await vi.waitUntil(() => liveProcesses().length === 0, SOON);
});

function run(command: ProcessSpec['command'], more: Partial<ProcessSpec> = {}, signal = never) {
  return runProcess({ command, cwd, env: { PATH }, graceMs: 100, drainMs: 100, ...more }, signal);
}

function node(script: string): readonly string[] {
  return [process.execPath, '-e', script];
}

/** Aborts as soon as the program has printed a line, so that it is known to be ready. */
function abortingWhenReady() {
  const controller = new AbortController();
  let text = '';
  const onStdout = (chunk: Uint8Array): void => {
    text += decodeUtf8(chunk);
    if (text.includes('\n')) controller.abort();
  };
  return { signal: controller.signal, onStdout };
}

function gate(): readonly [Promise<void>, () => void] {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return [opened, open];
}

/** A program that lives until it is told to finish. */
function openCat(value: string) {
  const [isReady, ready] = gate();
  const [isFinished, finish] = gate();
  async function* parts() {
    yield 'ready ';
    await isFinished;
    yield new TextEncoder().encode('done');
  }
  const marker = { name: MARKER, value };
  return { isReady, finish, result: run(['cat'], { marker, stdin: parts(), onStdout: ready }) };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const stat = `/proc/${pid}/stat`;
  return !existsSync(stat) || !/\) [ZX] /.test(readFileSync(stat, 'latin1'));
}

/** Ids of living processes with such an entry in their environment. */
function carrying(beginning: string): readonly number[] {
  return processIds().filter((pid) => environOf(pid)?.includes(beginning) === true && isAlive(pid));
}

const DEAF_SLEEPER = `process.on('SIGTERM', () => {}); console.log(process.pid); setInterval(() => {}, 1000);`;

/** Starts a deaf grandchild and passes its id on once it is deaf. */
function parentOf(grandchild: string, options: { readonly detached: boolean; readonly after: string }) {
  const stdio = options.detached ? `['ignore', 'pipe', 'ignore']` : `['ignore', 'pipe', 'inherit']`;
  return node(`
    const child = require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(grandchild)}],
      { detached: ${options.detached}, stdio: ${stdio} });
    child.stdout.once('data', (pid) => process.stdout.write(pid, () => { ${options.after} }));
  `);
}

describe('a program that ends by itself', () => {
  test('gives its exit code and both streams', async () => {
    const result = await run({ shell: 'echo out; echo err >&2; exit 3' });
    expect({ ...result, stdout: decodeUtf8(result.stdout), stderr: decodeUtf8(result.stderr) }).toEqual({
      outcome: 'exited',
      exitCode: 3,
      signal: null,
      stdout: 'out\n',
      stderr: 'err\n',
      read: { stdout: 4, stderr: 4 },
      durationMs: expect.any(Number),
      strays: 0,
    });
  });

  test('counts what it read without a limit too', async () => {
    const result = await run({ shell: 'echo out' }, { maxOutputBytes: Number.POSITIVE_INFINITY });
    expect(result.read).toEqual({ stdout: 4, stderr: 0 });
  });

  test('gives the signal that ended it', async () => {
    const result = await run({ shell: 'kill -USR1 $$' });
    expect(result).toMatchObject({ outcome: 'exited', exitCode: null, signal: 'SIGUSR1' });
  });

  test('gets arguments verbatim, the whole environment and the directory', async () => {
    const script =
      'console.log(JSON.stringify([process.argv.slice(1), process.env.A, process.env.HOME, process.cwd()]))';
    const result = await run([...node(script), '--', '$A `b` "c"\n', ''], { env: { PATH, A: 'é' } });
    expect(JSON.parse(decodeUtf8(result.stdout))).toEqual([['$A `b` "c"\n', ''], 'é', null, cwd]);
  });

  test('reads its input and then the end', async () => {
    const result = await run(['cat'], { stdin: 'héllo' });
    expect(decodeUtf8(result.stdout)).toBe('héllo');
  });

  test('reads parts that come while it runs', async () => {
    const cat = openCat('parts');
    await cat.isReady;
    cat.finish();
    expect(decodeUtf8((await cat.result).stdout)).toBe('ready done');
  });

  test('finds an empty stdin when nothing is written', async () => {
    expect(await run(['cat'])).toMatchObject({ outcome: 'exited', exitCode: 0 });
  });

  test('may close a big stdin without reading it', async () => {
    const result = await run({ shell: 'exec 0<&-; echo done' }, { stdin: 'x'.repeat(4_000_000) });
    expect(result).toMatchObject({ outcome: 'exited', exitCode: 0 });
    expect(decodeUtf8(result.stdout)).toBe('done\n');
  });

  test('may print invalid UTF-8', async () => {
    const result = await run({ shell: String.raw`printf 'a\377b'` });
    expect([...result.stdout]).toEqual([0x61, 0xff, 0x62]);
    expect(decodeUtf8(result.stdout)).toBe('a\uFFFDb');
  });

  test('is forgotten and leaves no zombie', async () => {
    let pid = 0;
    await run({ shell: 'echo $$' }, { onStdout: (chunk) => (pid = Number(decodeUtf8(chunk))) });
    expect(liveProcesses()).toEqual([]);
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });

  test('shares one signal with many others without a warning', async () => {
    const warnings: Error[] = [];
    const remember = (warning: Error): unknown => warnings.push(warning);
    process.on('warning', remember);
    const results = await Promise.all(Array.from({ length: 30 }, () => run(['true'])));
    await new Promise(setImmediate);
    process.off('warning', remember);
    expect(results.map(({ exitCode }) => exitCode)).toEqual(Array.from({ length: 30 }, () => 0));
    expect(warnings).toEqual([]);
  });
});

describe('a program that cannot be started', () => {
  test('is missing', async () => {
    expect(await run(['no-such-program', 'x'])).toMatchObject({
      outcome: 'spawn-failed',
      exitCode: null,
      failure: {
        reason: 'program-missing',
        code: 'ENOENT',
        path: 'no-such-program',
        message: 'no-such-program: program not found',
      },
    });
  });

  test('has no directory to run in', async () => {
    const missing = join(cwd, 'missing');
    expect(await run(['true'], { cwd: missing })).toMatchObject({
      outcome: 'spawn-failed',
      failure: { reason: 'cwd-unusable', code: 'ENOENT', path: missing },
    });
  });

  test('has a file for a directory', async () => {
    const file = join(cwd, 'file');
    await writeFile(file, '');
    expect(await run(['true'], { cwd: file })).toMatchObject({
      failure: { reason: 'cwd-unusable', code: 'ENOTDIR', path: file },
    });
  });

  test.each([
    { title: 'is not executable', mode: 0o644, line: '#!/bin/sh', reason: 'program-not-executable' },
    {
      title: 'names a missing interpreter',
      mode: 0o755,
      line: '#!/no/such/shell',
      reason: 'interpreter-missing',
    },
  ])('$title', async ({ mode, line, reason }) => {
    await writeFile(join(cwd, 'program'), `${line}\n`);
    await chmod(join(cwd, 'program'), mode);
    expect(await run(['./program'])).toMatchObject({ failure: { reason, path: './program' } });
  });

  test('has lines that end as on Windows', async () => {
    await writeFile(join(cwd, 'program'), '#!/bin/sh\r\necho hello\r\n');
    await chmod(join(cwd, 'program'), 0o755);
    expect(await run(['./program'])).toMatchObject({
      failure: {
        reason: 'interpreter-missing',
        message: './program: it has Windows line endings: save it with LF instead of CRLF',
      },
    });
  });

  test('gets too long an argument', async () => {
    expect(await run(['true', 'x'.repeat(8_000_000)])).toMatchObject({
      failure: { reason: 'arguments-too-long', code: 'E2BIG' },
    });
  });

  test('gets what the system cannot pass', async () => {
    expect(await run(['true', 'a\0b'])).toMatchObject({ failure: { reason: 'refused' } });
  });

  test('is not started after an abort', async () => {
    const file = join(cwd, 'trace');
    expect(await run(['touch', file], {}, AbortSignal.abort())).toMatchObject({
      outcome: 'aborted',
      exitCode: null,
    });
    expect(existsSync(file)).toBe(false);
  });
});

describe('a program that must be ended', () => {
  test('ends at SIGTERM when its time is up', async () => {
    const result = await run({ shell: 'sleep 60' }, { timeoutMs: 50, graceMs: 60_000 });
    expect(result).toMatchObject({ outcome: 'timeout', exitCode: null, signal: 'SIGTERM' });
  });

  test('has not run out of time when it ended while this process was busy with other things', async () => {
    const onStdout = (chunk: Uint8Array): void => {
      const [pid, end] = [Number(decodeUtf8(chunk)), performance.now() + 1_700];
      writeFileSync(join(cwd, 'go'), '');
      while (performance.now() < end || isAlive(pid));
    };
    const shell = 'echo $$; until [ -e go ]; do sleep 0.01; done; exit 3';
    expect(await run({ shell }, { timeoutMs: 1_500, onStdout })).toMatchObject({
      outcome: 'exited',
      exitCode: 3,
    });
  });

  test('may say goodbye when it is aborted', async () => {
    const { signal, onStdout } = abortingWhenReady();
    const shell = `trap 'echo bye; exit 7' TERM; echo ready; while :; do sleep 0.01; done`;
    const result = await run({ shell }, { onStdout, graceMs: 60_000 }, signal);
    expect(result).toMatchObject({ outcome: 'aborted', exitCode: 7, signal: null });
    expect(decodeUtf8(result.stdout)).toBe('ready\nbye\n');
  });

  test('is killed when it ignores SIGTERM', async () => {
    const { signal, onStdout } = abortingWhenReady();
    const result = await run(node(DEAF_SLEEPER), { onStdout }, signal);
    expect(result).toMatchObject({ outcome: 'aborted', exitCode: null, signal: 'SIGKILL' });
    expect(isAlive(Number(decodeUtf8(result.stdout)))).toBe(false);
  });

  test('takes a deaf grandchild along that holds stdout', async () => {
    const { signal, onStdout } = abortingWhenReady();
    const result = await run(parentOf(DEAF_SLEEPER, { detached: false, after: '' }), { onStdout }, signal);
    expect(result).toMatchObject({ outcome: 'aborted', signal: 'SIGTERM', strays: 0 });
    expect(isAlive(Number(decodeUtf8(result.stdout)))).toBe(false);
  });

  test('is ended by a flood, of which nothing beyond the limit is held or passed on', async () => {
    let passedOn = 0;
    const flood = 'const b = Buffer.alloc(1 << 20); const go = () => process.stdout.write(b, go); go()';
    const result = await run(node(flood), {
      maxOutputBytes: 3_000_000,
      onStdout: (chunk) => (passedOn += chunk.length),
    });
    expect(result.outcome).toBe('output-limit');
    expect([result.stdout.length, passedOn]).toEqual([3_000_000, 3_000_000]);
  });

  test('is ended by a flood on stderr, and keeps only the tail that was asked for', async () => {
    const flood = `const go = (i) => process.stderr.write(String(i % 10), () => go(i + 1)); go(0)`;
    const result = await run(node(flood), { maxOutputBytes: 1_000, keepBytes: 15 });
    expect(result.outcome).toBe('output-limit');
    expect(decodeUtf8(result.stderr)).toBe('567890123456789');
  });

  test('may print exactly as much as the limit', async () => {
    const result = await run({ shell: 'printf 12345' }, { maxOutputBytes: 5 });
    expect(result).toMatchObject({ outcome: 'exited', exitCode: 0 });
  });

  test('is ended when the code that reads it throws, and the error comes through', async () => {
    let pid = 0;
    const onStdout = (chunk: Uint8Array): void => {
      pid = Number(decodeUtf8(chunk));
      throw new Error('reader broke');
    };
    await expect(run({ shell: 'echo $$; sleep 60' }, { onStdout })).rejects.toThrow('reader broke');
    expect(isAlive(pid)).toBe(false);
  });

  test('is ended when the code that feeds it throws, and the error comes through', async () => {
    async function* broken() {
      yield 'a';
      throw new Error('feeder broke');
    }
    await expect(run({ shell: 'sleep 60' }, { stdin: broken() })).rejects.toThrow('feeder broke');
  });
});

describe('processes that a program leaves behind', () => {
  test('is read for a while, then ended with its group', async () => {
    const left = parentOf(DEAF_SLEEPER, { detached: false, after: 'process.exit(4)' });
    const script = left.at(-1)!.replace(`'pipe', 'inherit'`, `'pipe', process.stdout`);
    const result = await run(node(script));
    expect(result).toMatchObject({ outcome: 'exited', exitCode: 4 });
    expect(isAlive(Number(decodeUtf8(result.stdout)))).toBe(false);
  });

  test('still counts as output when it comes soon after the exit', async () => {
    const result = await run({ shell: '(sleep 0.05; echo late) & echo early' }, { drainMs: 60_000 });
    expect(decodeUtf8(result.stdout)).toBe('early\nlate\n');
  });

  test('is heard although this process was busy with other things when its time was up', async () => {
    const shell = '(until [ -e go ]; do sleep 0.01; done; echo late; touch said) & echo early';
    const busy = (): void => {
      const end = performance.now() + 600;
      writeFileSync(join(cwd, 'go'), '');
      while (performance.now() < end || !existsSync(join(cwd, 'said')));
    };
    const onStdout = (chunk: Uint8Array): void => {
      if (decodeUtf8(chunk) === 'early\n') setTimeout(() => setImmediate(busy), 100);
    };
    const result = await run({ shell }, { drainMs: 400, onStdout });
    expect(decodeUtf8(result.stdout)).toBe('early\nlate\n');
  });

  test('does not use up the time of the program', async () => {
    const result = await run({ shell: 'sleep 60 & exit 0' }, { timeoutMs: 2_000, drainMs: 2_500 });
    expect(result).toMatchObject({ outcome: 'exited', exitCode: 0 });
  });

  test('is not waited for after an abort', async () => {
    const controller = new AbortController();
    const shell = 'sleep 60 & echo $!';
    const spec = { drainMs: 60_000, onStdout: () => setImmediate(() => controller.abort()) };
    const result = await run({ shell }, spec, controller.signal);
    expect(isAlive(Number(decodeUtf8(result.stdout)))).toBe(false);
  });

  test.each([
    ['exits', 'process.exit(0)', { outcome: 'exited', exitCode: 0 }],
    ['is aborted', '', { outcome: 'aborted', signal: 'SIGTERM' }],
  ])('is found by the marker in a session of its own when the program %s', async (_, after, ending) => {
    const { signal, onStdout } = abortingWhenReady();
    const result = await run(
      parentOf(DEAF_SLEEPER, { detached: true, after }),
      { marker: { name: MARKER, value: `stray-${after.length}` }, onStdout },
      after === '' ? signal : never,
    );
    expect(result).toMatchObject({ ...ending, strays: 1 });
    expect(isAlive(Number(decodeUtf8(result.stdout)))).toBe(false);
  });

  test.skipIf(process.platform !== 'linux')(
    'is found whatever it is doing just then: being born, changing its program, dying',
    async () => {
      const shell = `setsid sh -c 'setsid sh -c "exec sleep 600" &' < /dev/null > /dev/null 2>&1 &`;
      const rounds = Array.from({ length: 100 }, (_, round) => `busy-${process.pid}-${round}.`);
      for (const value of rounds) await run({ shell }, { marker: { name: MARKER, value } });
      const left = carrying(`${MARKER}=busy-${process.pid}-`);
      for (const pid of left) process.kill(pid, 'SIGKILL');
      expect(left).toEqual([]);
    },
  );

  test('is distinguished from processes whose marker starts in the same way', async () => {
    const first = openCat('attempt-1');
    await first.isReady;
    const second = openCat('attempt-10');
    await second.isReady;
    first.finish();
    expect(await first.result).toMatchObject({ outcome: 'exited', exitCode: 0, strays: 0 });
    second.finish();
    expect(await second.result).toMatchObject({ outcome: 'exited', exitCode: 0, strays: 0 });
  });

  test.skipIf(process.platform !== 'linux')(
    'is not waited for when it is dead and only uncollected',
    async () => {
      const corpse = 'true & exec setsid sh -c "echo > ready; exec sleep 60"';
      const shell = `mkfifo ready; sh -c '${corpse}' >/dev/null 2>&1 & read line < ready`;
      const result = await run({ shell }, { graceMs: 60_000, marker: { name: MARKER, value: 'corpse' } });
      expect(result).toMatchObject({ outcome: 'exited', strays: 1 });
    },
  );
});

describe('killing all processes at once', () => {
  test('ends deaf programs and strays before it returns, as aborted', async () => {
    const [isReady, ready] = gate();
    const running = run(parentOf(DEAF_SLEEPER, { detached: true, after: '' }), {
      marker: { name: MARKER, value: 'now' },
      graceMs: 60_000,
      onStdout: ready,
    });
    await isReady;
    expect(liveProcesses()).toEqual([{ pid: expect.any(Number) }]);
    killAllNow();
    const result = await running;
    expect(result).toMatchObject({ outcome: 'aborted', signal: 'SIGKILL' });
    await vi.waitUntil(() => !isAlive(Number(decodeUtf8(result.stdout))), SOON);
    expect(liveProcesses()).toEqual([]);
  });
});
