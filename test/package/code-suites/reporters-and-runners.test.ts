import { expect, test } from 'vitest';

import { newestRun, rowOf, rowsOf } from '../../e2e/support/project.ts';
import { claudeTurn } from '../../support/claude-lines.ts';
import { packedProject } from '../support/packed-project.ts';
import { FAILS, ISOLATED, PASSES, played, suite } from '../support/suites.ts';

test('a reporter that throws is dropped and named, and the trials decide the exit code', async () => {
  await using project = played({
    files: {
      'a.suite.ts': suite({ one: PASSES, two: PASSES }),
      'b.suite.ts': suite({ three: FAILS }),
      'reporter.mjs': `export const reporter = { onCaseFinish() { throw new Error('broken reporter'); } };`,
    },
  });
  const good = await project.assay('run', 'a.suite.ts', '--reporter', './reporter.mjs');
  const named = expect.stringMatching(/reporter\.mjs[^\n]*broken reporter/) as string;
  expect([good.code, good.stdout + good.stderr]).toEqual([0, named]);
  expect(rowsOf(newestRun(project)).map(({ verdict }) => verdict)).toEqual(['passed', 'passed']);
  const bad = await project.assay('run', '--reporter', './reporter.mjs');
  expect([bad.code, bad.stdout + bad.stderr, rowsOf(newestRun(project)).length]).toEqual([1, named, 3]);
});

test('a runner of a config above the suite is started from the folder of the config', async () => {
  const printed = claudeTurn({ answer: 'from a program beside the config' }).join('\n');
  await using project = packedProject({
    'fake.sh': `#!/bin/sh
if [ "$1" = --version ]; then echo 2.1.330; exit; fi
cat <<'END'
${printed}
END
`,
    'assay.config.ts': `export default { runners: { own: { agent: { type: 'claude-code', model: 'm', command: './fake.sh' } } } };`,
    'deep/down/a.suite.ts': suite(
      { one: `assert(report) { assert.output.includes(report, 'from a program'); }` },
      ISOLATED,
    ),
  });
  const ended = await project.assay('run', 'deep/down/a.suite.ts');
  expect([ended.code, ended.stderr]).toEqual([0, '']);
  expect(rowOf(newestRun(project), 'one')).toMatchObject({ target: 'own', hermetic: true });
});
