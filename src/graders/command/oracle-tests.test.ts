import { expect, test } from 'vitest';

import { keepOracleTests, oracleTests } from './oracle-tests.ts';
import { folderOfTest } from '../../../test/support/test-folders.ts';

const endWith = (name: string) => ({
  exitCode: 0,
  said: '',
  report: `<testsuite><testcase name="${name}"/></testsuite>`,
});

test.each([
  ['hidden files', { run: ['t'], files: 'a' }, { run: ['t'], files: 'b' }],
  ['places of files', { run: ['t'], files: 'a', at: 'x' }, { run: ['t'], files: 'a', at: 'y' }],
  ['reports', { run: ['t'], report: 'a.xml' }, { run: ['t'], report: 'b.xml' }],
  ['arguments', { run: ['a b'] }, { run: ['a', 'b'] }],
])('commands with different %s keep their own tests', (_, first, second) => {
  const directory = folderOfTest('oracle-tests-');
  const commands = [first, second].map((each) => ({ oracle: 'solved', ...each }));
  for (const [index, each] of commands.entries())
    keepOracleTests(each, { directory }, endWith(`test ${index}`));
  const names = commands.map((each) => oracleTests(each, { directory }));
  expect(names).toEqual([['test 0'], ['test 1']]);
});
