import { join } from 'node:path';
import { expect, test } from 'vitest';

import { isTest, parseSource, readSourceTree } from './architecture/source-tree.ts';

/**
 * A test waits for what it waits for: a condition (`until`, `expect.poll`), an event, or a clock that it moves itself
 * (`heldTime`). One that sleeps, or says how long something may take, fails on a busy machine and not for a fault.
 */
const clocks = /\bset(?:Timeout|Interval)\((?!\(\) => \{\})|\b(?:performance|Date)\.now\(\)|\bhrtime\b/g;
const sleeps = /timers\/promises/;

/** How often each may touch a clock, and why. */
const allowed: Readonly<Record<string, readonly [times: number, why: string]>> = {
  'src/assertions/run-hook.test.ts': [6, 'hooks that block the loop beyond their time, and wait on timers'],
  'src/engine/watch.test.ts': [2, 'blocks the loop until a timer is due: that is what it is about'],
  'src/lib/process/descendant-ids.test.ts': [2, 'says when a process was started; nothing is bounded'],
  'src/lib/process/run-process.test.ts': [
    5,
    'blocks the loop until a timer is due: that is what it is about',
  ],
  'src/lib/time/spare-time.test.ts': [2, 'blocks the loop, whose load it asks about'],
  'src/server/flowing.test.ts': [1, 'chunks that come by a clock that the test itself moves'],
  'src/storage/run-directory/reader.test.ts': [1, 'gives a file another time; nothing is bounded'],
  'src/targets/acp/talk.test.ts': [2, 'an agent that leaves by itself soon after its answer'],
  'src/targets/cli/cli.test.ts': [2, 'programs that wait for a file, and print without end'],
  'test/browser/faults.test.ts': [1, 'a date in an hour; nothing is bounded'],
  'test/e2e/code-suites.test.ts': [
    1,
    'gives a second trial time to overlap, where the test is that none does',
  ],
  'test/e2e/kill-and-resume.test.ts': [2, 'kills at any moment; a server that waits for a file'],
  'test/e2e/killed-server.test.ts': [1, 'kills at any moment'],
  'test/e2e/killed-workers.test.ts': [1, 'kills at any moment'],
  'test/e2e/secrets.test.ts': [1, 'an agent that prints in pieces that arrive one by one'],
  'test/e2e/support/until.ts': [3, 'the one place that looks again and again'],
  'test/e2e/unruly-suites.test.ts': [3, 'suites with timers of their own, and one that blocks the loop'],
  'test/package/code-suites/assertions.test.ts': [1, 'hooks that wait for each other'],
};

const root = join(import.meta.dirname, '..');
const ours = [
  ...readSourceTree(root, 'src').filter(({ path }) => isTest(path) || path.endsWith('.fixture.ts')),
  ...readSourceTree(root, 'test').filter(({ path }) => path !== 'test/tests-are-still.test.ts'),
];

test('no test sleeps or bounds the time that something takes', () => {
  const touching = ours.flatMap(({ path, code, packages }) => {
    const times = timesIn(code) + packages.filter((name) => sleeps.test(name)).length;
    return times === 0 ? [] : [[path, times] as const];
  });
  expect(Object.fromEntries(touching)).toEqual(
    Object.fromEntries(Object.entries(allowed).map(([path, [times]]) => [path, times])),
  );
});

test.each([
  ['await new Promise((resolve) => setTimeout(resolve, 50));', 1],
  ['expect(performance.now() - startedAt).toBeLessThan(2000);', 1],
  ['const again = setInterval(() => look(), 20);', 1],
  ['while (Date.now() < end);', 1],
  ['`setInterval(() => {}, 1000)`', 0],
  ["vi.useFakeTimers({ toFake: ['setTimeout'] });", 0],
])('%s touches a clock %i times', (code, times) => {
  expect(timesIn(parseSource('src/a.test.ts', code).code)).toBe(times);
});

function timesIn(code: string): number {
  return code.match(clocks)?.length ?? 0;
}
