import { runFold } from '../../reading/run-view.ts';
import { expect, test } from 'vitest';

import type { SinkServices } from '../plugin.ts';
import type { Row, RunEvent } from '../../core/run.ts';
import {
  errored,
  eventsOf,
  fakeScreen,
  grade,
  manifest,
  passed,
  readerOf,
  row,
  rows,
  servicesFor,
  unjudged,
} from '../fixtures/sample-run.ts';
import { paletteFor } from './palette.ts';
import { terminal } from './terminal.ts';
import { trialPage } from './trial-page.ts';

const home = { projectRoot: '/p', runDirectory: `/p/.assay/runs/${manifest.id}` };

/** What is written when these events come `stepMs` apart, and what is added when the sink is closed. */
async function shown(
  all: readonly Row[],
  {
    stepMs = 0,
    events = eventsOf(all),
    ...overrides
  }: Partial<SinkServices> & { stepMs?: number; events?: RunEvent[] },
) {
  let clock = 0;
  const fold = runFold();
  const screen = fakeScreen({ ...overrides.screen });
  const services = servicesFor('/p', {
    ...home,
    reader: readerOf(all),
    view: fold.view,
    ...overrides,
    screen,
    now: () => clock,
  });
  const sink = terminal.create(services);
  for (const event of events) {
    fold.apply(event);
    void sink.write(event);
    clock += stepMs;
  }
  const during = screen.text();
  await sink.close?.();
  return { during, end: screen.text().slice(during.length), writes: screen.writes.length };
}

const END = `
2 trials failed (1 passed unexpectedly)

✗ failed  refund-after-30-days  evals/refunds.eval.yaml, support-bot
    score 0.42, needs 0.8
    failed (required): no-refund scored 0, needs 1. The answer promises a refund after the deadline.
      - says "I have refunded your order" (turn 1)
    failed: cites-policy scored 0.3, needs 0.8. No section of the policy is named.
    answer | Of course! I have refunded your order.
           | Anything else?
    assay show 20260301T101500Z-abc234 --trial evals%2Frefunds.eval.yaml/refund-after-30-days/support-bot/r1

✗ unexpected-passed  fixed-meanwhile  evals/refunds.eval.yaml, baseline
    score 1, needs 0.8
    It is marked as expected to fail and passed: remove the mark.
    answer | Hello Ada, how can I help?
    assay show 20260301T101500Z-abc234 --trial evals%2Frefunds.eval.yaml/fixed-meanwhile/baseline/r1

1 trial errored: not measured, so neither passed nor failed
by stage/kind: 1 target/timeout

! errored  long-conversation  evals/refunds.eval.yaml, support-bot
    Not measured: timeout (target) after 2 attempts: No answer within 60 s.
    What to do: Raise limits.timeout_ms or look at the target.
    assay show 20260301T101500Z-abc234 --trial evals%2Frefunds.eval.yaml/long-conversation/support-bot/r1

1 trial failed as expected
    known-gap  evals/refunds.eval.yaml, support-bot

target       passed  failed  errored  skipped  failed as expected  pass rate [95 %]          avg score  avg time  latency p50 / p95  agent cost
support-bot       1       1        1        0                   1  1/3 = 33.3 % [6.1, 79.2]      0.473       2 s  1.5 s / -          at least $0.036, 1 unknown
baseline          1       1        0        1                   0  2/2 = 100 % [34.2, 100]           1       2 s  1.5 s / -          unknown
support-bot: the pass rate counts the measured verdict: 1 expected failure as failed
support-bot: 1 errored trial not measured: the rate would be 25 % if all failed, 50 % if all passed
support-bot: 1 of 4 trials took more than one attempt; first attempts alone: 1/3 passed, 1 errored
baseline: the pass rate counts the measured verdict: 1 unexpected pass as passed

2 passed, 2 failed (1 passed unexpectedly), 1 errored, 1 skipped (1 draft), 1 failed as expected: 7 trials in 1 min 4 s
Results: .assay/runs/20260301T101500Z-abc234
  assay show 20260301T101500Z-abc234 --failed           shows what failed or errored
  assay resume 20260301T101500Z-abc234 --retry errored  runs the errored trials again
`;

test('the end says what failed and why, what was not measured, the rates, and what to do next', async () => {
  expect((await shown(rows, {})).end).toBe(END);
});

test('a run in which all is well is a table and a line', async () => {
  const { end } = await shown([passed], {
    reader: { ...readerOf([passed]), manifest: async () => ({ ...manifest, trials: 1 }) },
  });
  expect(end).toBe(`
target       passed  failed  errored  skipped  pass rate [95 %]         avg score  avg time  latency p50 / p95  agent cost
support-bot       1       0        0        0  1/1 = 100 % [20.7, 100]          1       2 s  1.5 s / -          $0.012

1 passed: 1 trial in 1 min 4 s
Results: .assay/runs/20260301T101500Z-abc234
`);
});

test('a grade of a stopped run says that the graded run was not whole', async () => {
  const events: RunEvent[] = [
    ...eventsOf([passed]).slice(0, -1),
    { sequence: 91, at: passed.endedAt, fact: { type: 'run-end', state: 'stopped' } },
  ];
  const { end } = await shown([passed], {
    events,
    reader: {
      ...readerOf([passed]),
      manifest: async () => ({ ...manifest, kind: 'grade', state: 'stopped', trials: 1 }),
    },
  });
  expect(end.split('\n').slice(-4)).toEqual([
    '1 passed: 1 trial in 1 min 4 s',
    'The graded run was stopped before its end: trials without an outcome could not be graded.',
    'Results: .assay/runs/20260301T101500Z-abc234',
    '',
  ]);
});

test('an interrupted run says how to go on', async () => {
  const events: RunEvent[] = [
    ...eventsOf([passed]).slice(0, -1),
    { sequence: 90, at: passed.endedAt, fact: { type: 'run-state', state: 'interrupted', reason: 'Ctrl-C' } },
    { sequence: 91, at: passed.endedAt, fact: { type: 'run-end', state: 'interrupted' } },
  ];
  const { end } = await shown([passed], { events });
  expect(end.split('\n').slice(-5)).toEqual([
    '1 passed: 1 trial in 1 min 4 s',
    'The run was interrupted (Ctrl-C): 6 of 7 trials have no outcome yet.',
    'Results: .assay/runs/20260301T101500Z-abc234',
    '  assay resume 20260301T101500Z-abc234  runs the remaining trials',
    '',
  ]);
});

test('where a dashboard runs that does not show the run, the end says how it does', async () => {
  const { end } = await shown([passed], { dashboard: 'http://127.0.0.1:4000' });
  expect(end).toContain(
    '  assay upload 20260301T101500Z-abc234  shows this run in the dashboard at http://127.0.0.1:4000\n',
  );
  expect((await shown([passed], {})).end).not.toContain('assay upload');
});

test('a run of workers goes on with workers', async () => {
  const events: RunEvent[] = [
    ...eventsOf([passed, errored]).slice(0, -1),
    { sequence: 91, at: passed.endedAt, fact: { type: 'run-end', state: 'interrupted' } },
  ];
  const command = ['run', '--workers', 'evals'];
  const { end } = await shown([passed, errored], {
    events,
    reader: { ...readerOf([passed, errored]), manifest: async () => ({ ...manifest, command }) },
  });
  expect(end).toContain('  assay resume 20260301T101500Z-abc234 --workers  ');
  expect(end).toContain('  assay resume 20260301T101500Z-abc234 --workers --retry errored  ');
});

test('why a run waits is printed while it waits, on a terminal and elsewhere, and other warnings are not', async () => {
  const text = 'waiting for a worker: none is running';
  const events = [text, 'an answer is damaged'].map((each, index): RunEvent => ({
    sequence: index + 1,
    at: passed.endedAt,
    fact: { type: 'note', text: each },
  }));
  for (const isTty of [true, false]) {
    const { during } = await shown([], { events, screen: { ...fakeScreen(), isTty } });
    expect(during).toContain(`Warning: ${text}\n`);
    expect(during).not.toContain('an answer is damaged');
  }
});

test('a run directory in another place is named by its path', async () => {
  const { end } = await shown(rows, { runDirectory: '/p/out dir/run', projectRoot: '/p' });
  expect(end).toContain("assay show 'out dir/run' --failed");
});

test('a run of a project below the working directory is named by its path, since its id is not found there', async () => {
  const { end } = await shown(rows, {
    reader: { ...readerOf(rows), manifest: async () => ({ ...manifest, cwd: '/' }) },
  });
  const path = `p/.assay/runs/${manifest.id}`;
  expect(end).toContain(`Results: ${path}\n  assay show ${path} --failed `);
});

test('a report that could not be written is named', async () => {
  const events = eventsOf([passed]);
  events.push({
    sequence: 99,
    at: passed.endedAt,
    fact: { type: 'sink-error', sink: 'junit', message: 'disk full' },
  });
  expect((await shown([passed], { events })).end).toContain(
    'The junit report could not be written: disk full\n',
  );
});

test('quiet says one line a target and nothing before', async () => {
  expect(await shown(rows, { verbosity: 'quiet' })).toEqual({
    during: '',
    end:
      'support-bot: pass rate 1/3 = 33.3 % [6.1, 79.2]; 1 passed, 1 failed, 1 errored, 1 failed as expected\n' +
      'baseline: pass rate 2/2 = 100 % [34.2, 100]; 1 passed, 1 failed (1 passed unexpectedly), 0 errored, 1 skipped (1 draft)\n',
    writes: 1,
  });
});

test('quiet does not say that nothing measured passed', async () => {
  const { end } = await shown([errored], {
    verbosity: 'quiet',
    reader: { ...readerOf([errored]), manifest: async () => ({ ...manifest, trials: 1 }) },
  });
  expect(end).toBe('support-bot: nothing measured; 0 failed, 1 errored\n');
});

test('if no cost is known, the table has no column for it', async () => {
  const { end } = await shown([row({ costUsd: { agent: null } })], {});
  expect(end.split('\n')[1]).toBe(
    'target       passed  failed  errored  skipped  pass rate [95 %]         avg score  avg time  latency p50 / p95',
  );
});

test('without a terminal there is at most one line a second', async () => {
  const many = Array.from({ length: 100 }, (_, index) => row({ caseId: `c${index}` }));
  const { during } = await shown(many, { stepMs: 50 });
  expect(during.split('\n').slice(0, 3)).toEqual([
    '0/100 trials | 0 running',
    '10/100 trials | 10 passed | 0 running | cost $0.12 | 1 s | about 9 s left',
    '20/100 trials | 20 passed | 0 running | cost $0.24 | 2 s | about 8 s left',
  ]);
  expect(during.trimEnd().split('\n')).toHaveLength(11);
});

test('verbose prints every trial', async () => {
  const { during } = await shown([passed, errored], { verbosity: 'verbose' });
  expect(during).toBe(`0/2 trials | 0 running
✓ passed  greets-by-name  evals/refunds.eval.yaml, support-bot  score 1, 2 s, $0.012
! errored  long-conversation  evals/refunds.eval.yaml, support-bot
    timeout (target): No answer within 60 s.
`);
});

test('progress says that expected outcomes are not judged, in its counts and of each trial', async () => {
  const { during } = await shown([unjudged], { verbosity: 'verbose', stepMs: 1_000 });
  expect(during.split('\n').slice(1)).toEqual([
    '✓ passed, expected outcomes not judged  greets-by-name  evals/refunds.eval.yaml, support-bot  score 1, 2 s, $0.012',
    '1/1 trials | 1 passed, expected outcomes not judged | 0 running | cost $0.012 | 2 s',
    '',
  ]);
});

test('verbose omits an unknown cost', async () => {
  const { during } = await shown([row({ costUsd: { agent: null } })], { verbosity: 'verbose' });
  expect(during.split('\n')[1]).toBe(
    '✓ passed  greets-by-name  evals/refunds.eval.yaml, support-bot  score 1, 2 s',
  );
});

test('in continuous integration a terminal gets plain lines too', async () => {
  const { during } = await shown(rows, { ci: true, screen: fakeScreen({ isTty: true }) });
  expect(during).toBe('0/7 trials | 0 running\n');
});

test('a terminal is redrawn at most ten times a second and is clean before the end is printed', async () => {
  const many = Array.from({ length: 100 }, (_, index) => row({ caseId: `c${index}` }));
  const { during, end } = await shown(many, { stepMs: 10, screen: fakeScreen({ isTty: true }) });
  const frames = during.split('\r\u001b[');
  expect(frames.length).toBeLessThanOrEqual(22);
  expect(frames.at(-1)).toBe(
    '2A\u001b[Jsupport-bot  100 done  100 passed  100/100 = 100 %  cost $1.20\n100/100 trials, 2 s\n',
  );
  expect(end.startsWith('\r\u001b[2A\u001b[J\n')).toBe(true);
});

test('a failure is printed above the live lines, which know how many trials are planned', async () => {
  const events = eventsOf([errored]);
  events[0] = {
    ...events[0]!,
    fact: {
      type: 'run-start',
      formatVersion: 1,
      plan: { trials: 3, trialsByTarget: { 'support-bot': 2, other: 1 }, seed: 1 },
      digests: { suites: {}, targets: {} },
    },
  };
  const { during } = await shown([errored], {
    events: events.slice(0, 3),
    stepMs: 100,
    screen: fakeScreen({ isTty: true }),
  });
  const [first, , last] = during.split('\r\u001b[');
  expect(first).toBe('support-bot  ░░░░░░░░░░░░░░░░  0/2\nother        ░░░░░░░░░░░░░░░░  0/1\n0/3 trials\n');
  expect(last).toBe(`3A\u001b[J! errored  long-conversation  evals/refunds.eval.yaml, support-bot
    timeout (target): No answer within 60 s.
support-bot  ████████░░░░░░░░  1/2  1 errored  cost unknown
other        ░░░░░░░░░░░░░░░░  0/1
1/3 trials
`);
});

test('no live line is wider than the screen', async () => {
  const wide = Array.from({ length: 15 }, (_, index) =>
    row({ target: `目标${index}`.repeat(20), caseId: 'x'.repeat(300) }),
  );
  const { during } = await shown(wide, { stepMs: 100, screen: fakeScreen({ isTty: true, columns: 40 }) });
  const lines = during
    .split('\n')
    .map((line) => line.slice(line.lastIndexOf('\u001b[J') + 1).replace(/^\[J/, ''));
  expect(lines.filter((line) => [...line].length + (line.match(/[目标]/g)?.length ?? 0) >= 40)).toEqual([]);
  expect(lines).toContain('and 5 more targets');
});

test('errored is never coloured like failed', async () => {
  const { end } = await shown(rows, { screen: fakeScreen({ colour: true }) });
  expect(end).toContain('\u001b[33m! errored\u001b[39m');
  expect(end).toContain('\u001b[31m✗ failed\u001b[39m');
});

test('on a narrow screen the table is a block a target', async () => {
  const { end } = await shown([passed], { screen: fakeScreen({ isTty: true, columns: 60 }) });
  expect(end).toContain(`
support-bot
  passed             1
  failed             0
  errored            0
  skipped            0
  pass rate [95 %]   1/1 = 100 % [20.7, 100]
  avg score          1
  avg time           2 s
  latency p50 / p95  1.5 s / -
  agent cost         $0.012
`);
});

test('only the first twenty are shown, and how many more there are', async () => {
  const many = [
    ...Array.from({ length: 18 }, (_, index) => row({ caseId: `f${index}`, verdict: 'failed', score: 0 })),
    ...Array.from({ length: 9 }, (_, index) => row({ caseId: `e${index}`, verdict: 'errored' })),
  ];
  const { end } = await shown(many, {});
  expect(end.match(/^[✗!] /gm)).toHaveLength(20);
  expect(end).toContain('and 7 more: assay show 20260301T101500Z-abc234 --failed\n');
});

test('trials with the same error are shown once, with the names of the other cases', async () => {
  const error = {
    kind: 'target-unavailable',
    stage: 'target',
    code: 'target-unavailable',
    message: 'not started: gone',
  } as const;
  const others = Array.from({ length: 8 }, (_, index) => `e${index}`);
  const many = ['e0', ...others].map((caseId) => row({ caseId, verdict: 'errored', error }));
  const { end } = await shown(many, {});
  expect(end.match(/^[✗!] .*/gm)).toEqual(['! errored  e0  evals/refunds.eval.yaml, support-bot']);
  expect(end).toContain('    The same error in 8 more trials: e0, e1, e2, e3, e4, ...\n');
  expect(end).not.toContain('more: assay show');
});

test('repetitions are numbered, and a note explains how they count in the interval', async () => {
  const { end } = await shown([passed, row({ repetition: 2, verdict: 'failed', score: 0.1 })], {});
  expect(end).toContain('✗ failed  greets-by-name  evals/refunds.eval.yaml, support-bot, repetition 2\n');
  expect(end).toContain('Repetitions of one case are similar');
});

test('what an agent wrote can neither move the cursor nor give a command to the build log', async () => {
  const hostile = `\u001b]0;owned\u0007\u001b[2J\n::add-mask::x\n##[error]x\u202e${' y'.repeat(30_000)} ::error::z`;
  const bad = row({
    caseId: `$(rm -rf ~)'${hostile}`,
    verdict: 'failed',
    score: 0,
    output: hostile,
    grades: [
      grade(hostile, {
        score: 0,
        passed: false,
        reason: hostile,
        evidence: [{ text: hostile, passed: false }],
      }),
    ],
  });
  const { during, end } = await shown([bad], { verbosity: 'verbose' });
  const text = during + end;
  expect(text.length).toBeLessThan(10_000);
  expect([...text].filter((character) => character < ' ' && character !== '\n')).toEqual([]);
  expect(text.split('\n').filter((line) => /^\s*::|##\[/.test(line))).toEqual([]);
  expect(text).not.toContain('\u202e');
});

test('errored trials of a run that stopped are neither failed nor free of charge', async () => {
  const { end } = await shown([errored], {});
  expect(end).toContain('support-bot       0       0        1        0  nothing measured  ');
  expect(end).not.toContain('$0');
});

test('a trial whose judge was to be steered is flagged at the end, in its block and on its page, passed or not', async () => {
  const steered = { grades: [grade('polite', { type: 'llm_judge', details: { injection: true } })] };
  const flag = 'judges report that the answer tries to influence their verdict: polite';
  const { end } = await shown([passed, row({ caseId: 'sly', ...steered }), row({ ...steered })], {});
  expect(end).toContain(
    `2 trials: ${flag} (sly, the first of 2)\n  assay show ${manifest.id} --trial evals%2Frefunds.eval.yaml/sly/support-bot/r1\n`,
  );
  const failing = row({ caseId: 'sly', verdict: 'failed', score: 0, ...steered });
  const block = (await shown([passed, failing], {})).end;
  expect(block).toContain(`    flag: ${flag}\n`);
  expect((await shown([passed], {})).end).not.toContain('steer');
  const style = { palette: paletteFor(false), columns: 100, run: 'r' };
  expect(trialPage(row(steered), [], style)).toContain(`  ${flag}`);
});
