import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';

import type { Row } from '../core/run.ts';
import { grade, manifest, notesOf, readerOf, row, rows, servicesFor } from './fixtures/sample-run.ts';
import { markdown } from './markdown.ts';
import { folderOfTest } from '../../test/support/test-folders.ts';

let directory: string;
beforeEach(async () => {
  directory = folderOfTest('assay-markdown-');
});

async function report(all: Iterable<Row>, state = manifest.state): Promise<string> {
  const reader = { ...readerOf(all), manifest: async () => ({ ...manifest, state }) };
  const sink = markdown.create(servicesFor(directory, { reader }));
  await sink.close?.();
  return readFile(join(directory, 'report.md'), 'utf8');
}

test('the page has the rates, then what failed, then what was not measured', async () => {
  expect(await report(rows))
    .toBe(`## 2 passed, 2 failed (1 passed unexpectedly), 1 errored, 1 skipped (1 draft), 1 failed as expected: 7 trials

| target | passed | failed | errored | skipped | failed as expected | pass rate | 95 % interval | avg score | avg time | latency p50 / p95 | agent cost |
| --- | ---: | ---: | ---: | ---: | ---: | --- | --- | ---: | ---: | --- | --- |
| support-bot | 1 | 1 | 1 | 0 | 1 | 1/3 = 33.3 % | [6.1, 79.2] | 0.473 | 2 s | 1.5 s / - | at least $0.036, 1 unknown |
| baseline | 1 | 1 | 0 | 1 | 0 | 2/2 = 100 % | [34.2, 100] | 1 | 2 s | 1.5 s / - | unknown |

**support-bot**: the pass rate counts the measured verdict: 1 expected failure as failed.

**support-bot**: 1 errored trial not measured: the rate would be 25 % if all failed, 50 % if all passed.

**baseline**: the pass rate counts the measured verdict: 1 unexpected pass as passed.

### 2 trials failed (1 passed unexpectedly)

#### refund-after-30-days

In evals/refunds.eval.yaml, support-bot

Score 0.42, needs 0.8.

- **failed (required)**: no-refund scored 0, needs 1. The answer promises a refund after the deadline.
- **failed**: cites-policy scored 0.3, needs 0.8. No section of the policy is named.

\`\`\`text
Of course! I have refunded your order.
Anything else?
\`\`\`

#### fixed-meanwhile

In evals/refunds.eval.yaml, baseline

Score 1, needs 0.8.

It is marked as expected to fail and passed: remove the mark.

\`\`\`text
Hello Ada, how can I help?
\`\`\`

### 1 trial errored: not measured

#### long-conversation

In evals/refunds.eval.yaml, support-bot

Not measured: timeout (target): No answer within 60 s.

What to do: Raise limits.timeout\\_ms or look at the target.

1 trial failed as expected.

1 trial skipped: 1 draft.

Run \`20260301T101500Z-abc234\`
`);
});

test('what an agent wrote is text: no link, mention, reference, markup or end of its fence', async () => {
  const hostile =
    '[x](http://evil) @someone #12 <img src=x onerror=1> **b** | `c` www.evil.com\u001b[31m\u202e';
  const page = await report([
    row({
      verdict: 'failed',
      score: 0,
      caseId: hostile,
      output: '```\n<script>\n````\n# heading',
      grades: [grade('g', { score: 0, passed: false, reason: hostile })],
    }),
  ]);
  const safe =
    String.raw`\[x\](http\://evil) @&#8203;someone #&#8203;12 &lt;img src=x onerror=1> \*\*b\*\* \| ` +
    String.raw`\`c\` www\.evil.com`;
  expect(page).toContain(`#### ${safe}\n`);
  expect(page).toContain(`- **failed**: g scored 0. ${safe}\n`);
  expect(page).toContain('`````text\n```\n<script>\n````\n# heading\n`````');
});

test('a trial that tried to steer its judge is reported above the trials, and in its own block if it failed', async () => {
  const steered = { grades: [grade('polite', { type: 'llm_judge', details: { injection: true } })] };
  const flag = 'judges report that the answer tries to influence their verdict: polite';
  const page = await report([
    row({ caseId: 'sly', ...steered }),
    row({ caseId: 'bad', verdict: 'failed', score: 0, ...steered }),
  ]);
  expect(page).toContain(`**Warning**: 2 trials: ${flag} (sly, the first of 2).\n`);
  expect(page).toContain(`Note: ${flag}\n`);
  expect(await report([row()])).not.toContain('steer');
});

test('skipped trials say why, and errors of several lines keep them', async () => {
  const page = await report([
    row({ verdict: 'skipped', skipped: 'skip', notes: ['the shop has not decided'] }),
    row({
      verdict: 'errored',
      error: { stage: 'target', kind: 'runner-crash', code: 'x', message: 'it died:\n  at a.mjs:3' },
    }),
  ]);
  expect(page).toContain('- greets-by-name, support-bot: skip: the shop has not decided\n');
  expect(page).toContain('Not measured: runner-crash (target):\n\n```text\nit died:\n  at a.mjs:3\n```\n');
});

test('what no row tells stands above the trials: the first notes, and how many more', async () => {
  const noted = Array.from({ length: 22 }, (_, index) => `note *${index}*`);
  const reader = { ...readerOf([row({ verdict: 'failed' })]), runEvents: () => notesOf(noted) };
  await markdown.create(servicesFor(directory, { reader })).close?.();
  const page = await readFile(join(directory, 'report.md'), 'utf8');
  expect(page).toContain(String.raw`**Warning**: note \*0\*` + '\n');
  expect(page).toContain(
    String.raw`**Warning**: note \*19\*` + '\n\nand 2 warnings more, in events.jsonl.\n\n### 1 trial failed',
  );
});

test('a run that was interrupted says so', async () => {
  expect(await report([row()], 'interrupted')).toContain(
    '**The run was interrupted: 6 of 7 trials have no outcome yet.**',
  );
});

test('fifty trials are shown and the rest counted', async () => {
  const many = Array.from({ length: 70 }, (_, index) => row({ caseId: `c${index}`, verdict: 'errored' }));
  const page = await report(many);
  expect(page.match(/^#### /gm)).toHaveLength(50);
  expect(page).toContain('And 20 more: `assay show 20260301T101500Z-abc234 --failed`');
});

test('only the owner can read the file', async () => {
  await report(rows);
  expect((await stat(join(directory, 'report.md'))).mode & 0o777).toBe(0o600);
});

test('targets stand as the config has them, whichever trial ended first', async () => {
  const page = await report([row({ target: 'baseline' }), row({ target: 'support-bot' })]);
  expect([...page.matchAll(/^\| (\S+) \| 1/gm)].map(([, target]) => target)).toEqual([
    'support-bot',
    'baseline',
  ]);
});

test('trials with the same error are shown once, with the names of the other cases', async () => {
  const error = {
    kind: 'target-unavailable',
    stage: 'target',
    code: 'target-unavailable',
    message: 'gone',
  } as const;
  const page = await report(['a', 'b', 'b'].map((caseId) => row({ caseId, verdict: 'errored', error })));
  expect(page.match(/^#### .*/gm)).toEqual(['#### a']);
  expect(page).toContain('\n\nThe same error in 2 more trials: b\n\n');
  expect(page).not.toContain('more: `assay show');
});
