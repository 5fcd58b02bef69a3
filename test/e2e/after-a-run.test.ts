import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { manifestOf, newestRun, openProject, rowsOf, type Files, type Project } from './support/project.ts';

/** Repeats the question, except what is `broken`. */
const AGENT = `
read -r question
case $question in
  *broken*) exit 7;;
  *) echo "$question";;
esac
`;

function projectWith(tests: readonly object[], files: Files = {}): Project {
  return openProject({
    'assay.config.json': {
      targets: { agent: { type: 'cli', command: ['sh', './agent.sh'] } },
      run: { seed: 3, concurrency: 2 },
    },
    'agent.sh': AGENT,
    'some.eval.yaml': { tests, assert: [{ type: 'regex', value: 'right', name: 'is right' }] },
    ...files,
  });
}

const cases = (questions: Readonly<Record<string, string>>) =>
  Object.entries(questions).map(([id, input]) => ({ id, input: `${input}\n` }));

describe.concurrent('a merged run', () => {
  test('is not resumed, since it planned nothing itself, and keeps its rows', async () => {
    await using project = projectWith(cases({ one: 'right', two: 'broken', three: 'right', four: 'broken' }));
    for (const part of ['1/2', '2/2']) await project.assay('run', '--shard', part);
    const parts = project.runs();
    const merged = await project.assay('merge', ...parts);
    const run = newestRun(project);
    const rows = rowsOf(run);
    expect({ of: manifestOf(run).mergedFrom, rows: rows.length }).toEqual({
      of: parts.map((part) => manifestOf(part).id),
      rows: 4,
    });
    expect(merged.stdout).not.toContain('assay resume');

    const resumed = await project.assay('resume', 'latest', '--retry', 'errored', '--accept-changes');
    expect({ code: resumed.code, rows: rowsOf(run) }).toEqual({ code: 2, rows });
    expect(resumed.stderr).toContain(`is merged from ${manifestOf(parts[0] ?? '').id}`);
    expect(resumed.stderr).toContain('resume these parts');
  });

  test('and one that only graded offer no resume at their end', async () => {
    await using project = projectWith(cases({ one: 'right' }));
    await project.assay('run');
    project.write({
      'some.eval.yaml': {
        tests: cases({ one: 'right' }),
        assert: [{ type: 'code_judge', script: ['no-such-grader-anywhere'] }],
      },
    });
    const graded = await project.assay('grade', 'latest');
    expect({ code: graded.code, verdict: rowsOf(newestRun(project))[0]?.verdict }).toEqual({
      code: 3,
      verdict: 'errored',
    });
    expect(graded.stdout).not.toContain('assay resume');
  });
});

describe.concurrent('a report that cannot be written', () => {
  test.each([
    ['text', []],
    ['quiet', ['--quiet']],
    ['JSON', ['--json']],
  ])('makes the exit code 5 and is named: %s', async (_, flags) => {
    await using project = projectWith(cases({ one: 'right' }));
    const ended = await project.assay('run', '--reporter', 'junit=some.eval.yaml/report.xml', ...flags);
    const run = newestRun(project);
    expect({ code: ended.code, exitCode: manifestOf(run).exitCode, rows: rowsOf(run).length }).toEqual({
      code: 5,
      exitCode: 5,
      rows: 1,
    });
    expect(ended.stdout + ended.stderr).toContain('junit report');
    expect(existsSync(join(run, 'results.json'))).toBe(true);
  });
});
