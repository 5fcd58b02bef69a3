import { describe, expect, test } from 'vitest';

import { CONTAINER } from '../contracts/container.ts';
import { newestRun, openProject, rowOf, rowsOf, type Project } from '../e2e/support/project.ts';

const SANDBOXES = { process: { level: 'process' }, namespace: { level: 'namespace' }, container: CONTAINER };

const HIDDEN = 'set -e\ntest "$(sh ./solution.sh)" = right\n';

/** A case whose hidden test is graded in a copy of the workspace. */
function projectOf(level: keyof typeof SANDBOXES, agent: string, run = ['sh', 'tests/hidden.sh']): Project {
  return openProject({
    'hidden/hidden.sh': HIDDEN,
    'template/solution.sh': 'echo wrong\n',
    'a.eval.yaml': {
      workspace: { template: './template', keep: 'always' },
      tests: [
        { id: 'one', input: 'solve it', assert: [{ type: 'command', run, files: './hidden', at: 'tests' }] },
      ],
    },
    'assay.config.json': {
      targets: { agent: { type: 'cli', command: ['sh', '-c', agent], sandbox: SANDBOXES[level] } },
    },
  });
}

const SOLVES = 'echo "echo right" > solution.sh';

/** Writes the answer without solving, or changes what grades while it is graded. */
const CHEATS: readonly (readonly [string, string])[] = [
  ['does nothing', 'true'],
  ['writes its own test', 'mkdir tests; echo exit 0 > tests/hidden.sh'],
  ['links the folder of tests elsewhere', 'mkdir mine; echo exit 0 > mine/hidden.sh; ln -s mine tests'],
  ['prints that all tests passed', 'echo "1 test passed, 0 failed"'],
  ['rewrites the test from its own code', `printf 'echo exit 0 > tests/hidden.sh; echo no' > solution.sh`],
];

describe.each(['process', 'namespace', 'container'] as const)('%s', (level) => {
  test('an agent that solves the task passes a test that it never saw', async () => {
    await using project = projectOf(level, `ls -A; ${SOLVES}`);
    expect(await project.assay('run')).toMatchObject({ code: 0 });
    const row = rowOf(newestRun(project), 'one');
    expect(row).toMatchObject({ score: 1, isolation: level, output: 'solution.sh' });
    const again = await project.assay('grade', 'latest');
    expect(again).toMatchObject({ code: 0 });
    expect(rowsOf(newestRun(project)).map(({ score }) => score)).toEqual([1]);
    expect(project.litter()).toEqual([]);
  });

  test.each(CHEATS)('an agent that %s fails', async (_, agent) => {
    await using project = projectOf(level, agent);
    const { code } = await project.assay('run');
    const { verdict, grades, score } = rowOf(newestRun(project), 'one');
    // Hidden files cannot be changed in a sandbox. Otherwise the change is found.
    const isFound = level === 'process' && JSON.stringify(grades).includes('changed while the command ran');
    expect({ code, verdict, score }).toEqual(
      isFound ? { code: 3, verdict: 'errored', score: null } : { code: 1, verdict: 'failed', score: 0 },
    );
  });
});

test.each(['namespace', 'container'] as const)(
  'in a %s, code of the agent cannot change the hidden files or reach the network while it is graded',
  async (level) => {
    const run = ['sh', '-c', 'sh ./solution.sh'];
    const solution =
      '! echo x 2>/dev/null >> tests/hidden.sh && ! rm -f tests/hidden.sh 2>/dev/null && test -z "$(ls /sys/class/net 2>/dev/null | grep -v ^lo$)"';
    await using project = projectOf(level, `printf '%s' '${solution}' > solution.sh`, run);
    const { code, stdout } = await project.assay('run');
    expect({ code, stdout: code === 0 ? '' : stdout }).toEqual({ code: 0, stdout: '' });
  },
);
