import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { folderOfTest } from '../../../test/support/test-folders.ts';
import { subjectOf } from '../subject.fixture.ts';
import { checkFacts } from './check-facts.ts';
import { startCheckWorker } from './check-worker.ts';

test('a check runs once, or it is taken back and never runs', async () => {
  const folder = folderOfTest('assay-turns-');
  const worker = startCheckWorker({});
  onTestFinished(() => void worker.terminate());
  const [log, go] = ['log', 'go'].map((name) => join(folder, name)) as [string, string];
  const facts = checkFacts(subjectOf({}), undefined);
  const request = (name: string, more = '') => {
    const fs = "process.getBuiltinModule('node:fs')";
    return {
      check: { text: `${fs}.appendFileSync(${JSON.stringify(log)}, '${name}'); ${more} return true` },
      facts,
    };
  };
  const blocked = request(
    'a',
    `while (!process.getBuiltinModule('node:fs').existsSync(${JSON.stringify(go)}));`,
  );
  const answers: unknown[] = [];
  worker.on('message', (answer) => answers.push(answer));
  const heard = (most: number) =>
    new Promise<void>((resolve) => worker.on('message', () => answers.length >= most && resolve()));
  const [begun, ended] = [heard(1), heard(5)];
  const [taken, last] = [request('b'), request('c')];
  for (const each of [blocked, taken, last]) worker.postMessage(each);
  await begun;
  expect([worker.withdraw?.(blocked), worker.withdraw?.(taken)]).toEqual([false, true]);
  writeFileSync(go, '');
  await ended;
  const said = { said: { score: 1 } };
  expect(answers).toEqual([{ began: true }, said, { withdrawn: true }, { began: true }, said]);
  expect(readFileSync(log, 'utf8')).toBe('ac');
});
