import { expect, test } from 'vitest';

import { newestRun, rowsOf } from '../e2e/support/project.ts';
import { claudeTurn } from '../support/claude-lines.ts';
import { DONE, errorOf, FAILS, ISOLATED, PASSES, played, suite } from './support/suites.ts';

test('what nobody knows of an agent stands in error.json', async () => {
  const novelty = '{"type":"novelty"}';
  await using project = played({
    plans: () => ({
      agent: { before: [novelty, novelty], byPrompt: { fails: { after: DONE }, drifts: { after: [] } } },
    }),
    files: { 'a.suite.ts': suite({ fails: FAILS, drifts: PASSES }, ISOLATED) },
  });
  await project.assay('run');
  const run = newestRun(project);
  expect(errorOf(run, 'fails')).toMatchObject({ unknownEvents: { novelty: 2 } });
  expect(errorOf(run, 'drifts')).toMatchObject({ kind: 'adapter-drift', unknownEvents: { novelty: 2 } });
});

test('a reporter hears of agents what the rows tell, and rows tell which agents were hermetic', async () => {
  await using project = played({
    plans: () => ({
      one: { after: claudeTurn({ answer: 'first', tokens: { input: 90, output: 10 } }) },
      two: { after: [] },
    }),
    files: {
      'a.suite.ts': suite({ only: PASSES }, ISOLATED),
      'reporter.ts': `import { appendFileSync } from 'node:fs';
        const say = (...words) => appendFileSync('told', words.join(' ') + '\\n');
        export default {
          onSuiteStart: ({ runners, context }) => say('suite', runners.map(({ agent }) => agent.type + '/' + agent.model), context.workspaceMode, context.maxParallel),
          onRunnerFinish: ({ runner, result }) => say(runner.id, result.status, result.failureClass?.id ?? '-', result.failureOrigin ?? '-', JSON.stringify(result.report.finalOutput), result.report.usage.totalTokens ?? '-'),
          onSuiteFinish: ({ result }) => say('end', ...result.runners.map(({ runner, successRate, averageTotalTokens }) => [runner.id, successRate, averageTotalTokens].join('/'))),
        };`,
    },
  });
  const ended = await project.assay('run', '--reporter', './reporter.ts');
  expect(ended.code).toBe(3);
  const lines = project.read('told').trim().split('\n');
  expect([lines[0], lines.slice(1, 3).toSorted(), lines[3]]).toEqual([
    'suite claude-code/m,claude-code/m isolated 10',
    ['one passed - - "first" 100', 'two errored runner-crash runner "" -'],
    'end one/1/100 two//',
  ]);
  expect(rowsOf(newestRun(project)).map(({ hermetic }) => hermetic)).toEqual([true, true]);
});
