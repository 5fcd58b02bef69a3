import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';

import type { Row } from '../core/run.ts';
import { fakeScreen, grade, readerOf, row, rows, servicesFor } from './fixtures/sample-run.ts';
import { github } from './github.ts';
import { folderOfTest } from '../../test/support/test-folders.ts';

let directory: string;
beforeEach(async () => {
  directory = folderOfTest('assay-github-');
});

async function printed(all: Iterable<Row>, file?: string): Promise<string> {
  const screen = fakeScreen();
  const given = file === undefined ? {} : { file };
  const sink = github.create(servicesFor(directory, { reader: readerOf(all), screen, ...given }));
  await sink.close?.();
  return screen.text();
}

test('what failed or errored is annotated at its suite file', async () => {
  const place = 'file=evals/refunds.eval.yaml,line=1';
  expect((await printed(rows)).split('\n')).toEqual([
    `::error ${place},title=failed%3A refund-after-30-days [support-bot]::required no-refund: The answer promises a refund after the deadline.%0Acites-policy: No section of the policy is named.`,
    `::error ${place},title=unexpected-passed%3A fixed-meanwhile [baseline]::it was expected to fail and passed`,
    `::error ${place},title=errored (not measured)%3A long-conversation [support-bot]::timeout (target): No answer within 60 s.%0AWhat to do: Raise limits.timeout_ms or look at the target.`,
    '',
  ]);
});

test('a stored case has no file to point at', async () => {
  expect(await printed([row({ suite: 'stored', verdict: 'failed', score: 0.5 })])).toBe(
    '::error title=failed%3A greets-by-name [support-bot]::score 50 of 100, needs 80\n',
  );
});

test('it points at the line of the case, else at the assertion that fell, by paths of the repository', async () => {
  await mkdir(join(directory, '.git'));
  const projectRoot = join(directory, 'packages/shop');
  const location = `${projectRoot}/refund.suite.ts:12:5`;
  const fell = grade('assert', { passed: false, score: 0, details: { error: { name: 'x', location } } });
  const screen = fakeScreen();
  const failed = { verdict: 'failed', score: 0 } as const;
  const sink = github.create(
    servicesFor(directory, {
      reader: readerOf([
        row({ ...failed, caseId: 'table' }),
        row({ ...failed, caseId: 'code', grades: [fell] }),
        row({ ...failed, caseId: 'gone' }),
      ]),
      screen,
      projectRoot,
      sourceOf: (_, id) => (id === 'gone' ? undefined : { file: join(projectRoot, 'cases.csv'), line: 3 }),
    }),
  );
  await sink.close?.();
  expect([...screen.text().matchAll(/file=(.*),title/g)].map(([, place]) => place)).toEqual([
    'packages/shop/cases.csv,line=3',
    'packages/shop/refund.suite.ts,line=12',
    'packages/shop/evals/refunds.eval.yaml,line=1',
  ]);
});

test('text of an agent is never read as a command of GitHub Actions', async () => {
  const hostile = 'a%,b:c\r\n::add-mask::d\u001b[31m\n::stop-commands::e';
  const text = await printed([
    row({
      caseId: hostile,
      target: hostile,
      repetition: 2,
      verdict: 'failed',
      grades: [grade('g', { passed: false, score: 0, reason: hostile })],
    }),
  ]);
  const name = 'a%25%2Cb%3Ac%0A%3A%3Aadd-mask%3A%3Ad%0A%3A%3Astop-commands%3A%3Ae';
  const reason = 'a%25,b:c%0A::add-mask::d%0A::stop-commands::e';
  expect(text).toBe(
    `::error file=evals/refunds.eval.yaml,line=1,title=failed%3A ${name} #2 [${name}]::g: ${reason}\n`,
  );
});

test('a trial whose judge was to be steered is a warning, passed or not', async () => {
  const grades = [grade('polite', { type: 'llm_judge', details: { injection: true } })];
  expect(await printed([row(), row({ caseId: 'sly', grades })])).toBe(
    '::warning title=assay::1 trial: judges report that the answer tries to influence their verdict: polite (sly)\n',
  );
});

test('the summary is appended to the file of the job', async () => {
  const file = join(directory, 'summary.md');
  await writeFile(file, 'before\n');
  await printed(rows, file);
  const summary = await readFile(file, 'utf8');
  expect(summary.split('\n').slice(0, 2)).toEqual([
    'before',
    '## 2 passed, 2 failed (1 passed unexpectedly), 1 errored, 1 skipped (1 draft), 1 failed as expected: 7 trials',
  ]);
});

test('a large run stays within what GitHub shows', async () => {
  const file = join(directory, 'summary.md');
  const many = Array.from({ length: 500 }, (_, index) =>
    row({
      caseId: `c${index}`,
      verdict: 'failed',
      score: 0,
      output: 'é'.repeat(60_000),
      grades: Array.from({ length: 100 }, () =>
        grade('g', { passed: false, score: 0, reason: 'é'.repeat(9000) }),
      ),
    }),
  );
  const text = await printed(many, file);
  expect(text.match(/^::error /gm)).toHaveLength(50);
  expect(text.endsWith('::notice title=assay::450 more trials failed or errored\n')).toBe(true);
  expect(Buffer.byteLength(await readFile(file))).toBeLessThan(1024 * 1024);
});
