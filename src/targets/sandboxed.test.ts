import { tmpdir } from 'node:os';

import { expect, test } from 'vitest';

import { runEntered, type Enter } from './sandboxed.ts';

/** A sandbox that did not pass on the end of the output. */
const losing: Enter = (start) =>
  Promise.resolve({
    start,
    failureOf: () => Promise.resolve(undefined),
    unread: ({ stdout, stderr }) =>
      Promise.resolve({
        stdout: Buffer.from('[done]'.slice(stdout)),
        stderr: Buffer.from('why'.slice(stderr)),
      }),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  });

test('output that a sandbox did not pass on is added at the end, for those who read it while it comes too', async () => {
  const heard: string[] = [];
  const spec = {
    command: ['printf', '[do'],
    cwd: tmpdir(),
    env: { PATH: process.env['PATH'] ?? '' },
    keepBytes: 4,
    onStdout: (chunk: Uint8Array) => void heard.push(String(Buffer.from(chunk))),
  };
  const result = await runEntered(spec, losing, new AbortController().signal);
  expect(heard).toEqual(['[do', 'ne]']);
  expect(String(Buffer.from(result.stdout))).toBe('one]');
  expect(String(Buffer.from(result.stderr))).toBe('why');
  expect(result.read).toEqual({ stdout: 6, stderr: 3 });
});

test('the program in a sandbox gets the mark by which what it leaves is found', async () => {
  const seen: unknown[] = [];
  const enter: Enter = async (start) => {
    seen.push(start.env);
    return await losing(start);
  };
  const spec = { command: ['true'], cwd: tmpdir(), env: { PATH: '/usr/bin:/bin' } };
  await runEntered({ ...spec, marker: { name: 'MARK', value: 'm' } }, enter, new AbortController().signal);
  expect(seen).toEqual([{ PATH: '/usr/bin:/bin', MARK: 'm' }]);
});
