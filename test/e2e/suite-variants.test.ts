import type { RunComparison } from '../../src/core/run-comparison.ts';
import { describe, expect, test } from 'vitest';

import { trialKey } from '../../src/core/trial.ts';
import { openProject } from './support/here.ts';
import { newestRun, rowsOf, type Files, type Project } from './support/project.ts';
import { until } from './support/until.ts';

const AGENT = { type: 'cli', command: ['sh', '-c', 'printf "%s" "$ASSAY_SYSTEM_PROMPT"'] };
const SAID = [{ type: 'contains', value: 'Answer' }];
const PROMPTS: Files = {
  'evals/prompts/short.md': 'Answer briefly.\n',
  'evals/prompts/long.md': 'Answer at length.\n',
};
const FILES = { prompt: ['./prompts/short.md', './prompts/long.md'] };

const suiteOf = (execution: object, tests: readonly object[] = [{ id: 'one', input: 'Hello' }]) => ({
  execution,
  assert: SAID,
  tests,
});

const projectOf = (execution: object, more: Files = {}): Project =>
  openProject({
    'assay.config.json': { targets: { agent: AGENT, other: { type: 'mock', response: 'Answer me.' } } },
    'evals/some.eval.yaml': suiteOf(execution),
    ...PROMPTS,
    ...more,
  });

const answers = (project: Project) =>
  Object.fromEntries(rowsOf(newestRun(project)).map(({ target, output }) => [target, String(output ?? '')]));

const trialKeyOf = (project: Project, target: string) => {
  const row = rowsOf(newestRun(project)).find((each) => each.target === target);
  if (row === undefined) throw new Error(`no row of ${target}`);
  return trialKey(row);
};

const BOTH = { 'agent[prompt=short]': 'Answer briefly.', 'agent[prompt=long]': 'Answer at length.' };

describe('variants of a suite', () => {
  test('are its targets, with prompts from files next to it', async () => {
    await using project = projectOf({ variants: { base: 'agent', over: FILES } });
    const { code, stderr } = await project.assay('run', 'evals');
    expect({ code, stderr, answers: answers(project) }).toEqual({ code: 0, stderr: '', answers: BOTH });
    const compared = await project.assay('compare', 'latest', '--by', 'prompt');
    expect(compared.stdout).toContain('prompt long against short');
    const matrix = await project.assay('show', 'latest', '--matrix', '--markdown');
    expect(matrix.stdout).toContain('| case | short | long |');
    const key = 'evals/some.eval.yaml/one/agent[prompt=short]/r1';
    const pasted = [key, key.replace('evals/', 'evals%2F'), trialKeyOf(project, 'agent[prompt=short]')];
    for (const each of pasted) {
      const shown = await project.assay('show', 'latest', '--trial', each);
      expect({ code: shown.code, stderr: shown.stderr }).toEqual({ code: 0, stderr: '' });
    }
  });

  test('can stand beside other targets, and tests can name one of them', async () => {
    await using project = projectOf(
      {},
      {
        'evals/some.eval.yaml': suiteOf(
          { targets: ['other', 'agent'], variants: { base: 'agent', over: FILES } },
          [
            { id: 'all', input: 'Hello' },
            { id: 'one', input: 'Hello', execution: { target: 'agent[prompt=long]' } },
            { id: 'both', input: 'Hello', execution: { target: 'agent' } },
          ],
        ),
      },
    );
    const { code, stderr } = await project.assay('run', 'evals');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const asked = rowsOf(newestRun(project)).map(({ caseId, target }) => `${caseId} ${target}`);
    expect(asked.toSorted()).toEqual([
      'all agent[prompt=long]',
      'all agent[prompt=short]',
      'all other',
      'both agent[prompt=long]',
      'both agent[prompt=short]',
      'one agent[prompt=long]',
    ]);
  });

  test('are chosen by --target, and their base means all of them only in their suite', async () => {
    await using project = projectOf(
      { variants: { base: 'agent', over: FILES } },
      { 'evals/plain.eval.yaml': suiteOf({ target: 'agent' }) },
    );
    await project.assay('run', 'evals', '--target', 'agent[prompt=long]');
    expect(rowsOf(newestRun(project)).map(({ target }) => target)).toEqual([
      'agent[prompt=long]',
      'agent[prompt=long]',
    ]);
    await project.assay('run', 'evals', '--target', 'agent');
    const asked = rowsOf(newestRun(project)).map(({ suite, target }) => `${suite} ${target}`);
    expect(asked.toSorted()).toEqual([
      'evals/plain.eval.yaml agent',
      'evals/some.eval.yaml agent[prompt=long]',
      'evals/some.eval.yaml agent[prompt=short]',
    ]);
  });

  test('keep rows by include and exclude', async () => {
    const over = { ...FILES, timeoutMs: { slow: 60_000, quick: 30_000 } };
    await using project = projectOf({
      variants: {
        base: 'agent',
        over,
        include: [{ prompt: 'short' }],
        exclude: [{ timeoutMs: 'quick' }],
      },
    });
    await project.assay('run', 'evals');
    expect(Object.keys(answers(project))).toEqual(['agent[prompt=short,timeoutMs=slow]']);
  });

  test('change the treatment and not the case when a prompt is edited', async () => {
    const written = (text: string) =>
      suiteOf({ variants: { base: 'agent', over: { prompt: { it: text } } } });
    await using project = projectOf({}, { 'evals/some.eval.yaml': written('Answer one.') });
    await project.assay('run', 'evals');
    const before = newestRun(project);
    project.write({ 'evals/some.eval.yaml': written('Answer two.') });
    await project.assay('run', 'evals');
    const compared = await project.assay('compare', before, 'latest', '--json');
    const { verdict, comparisons } = JSON.parse(compared.stdout) as RunComparison;
    expect(verdict).not.toBe('invalid');
    expect(comparisons.map(({ differs }) => differs)).toEqual([
      [{ what: 'config.prompt', base: '"Answer one."', candidate: '"Answer two."' }],
    ]);
  });
});

test('a killed run with variants of a suite resumes with its prompts, or refuses', async () => {
  await using project = projectOf(
    { variants: { base: 'agent', over: FILES } },
    {
      'assay.config.json': {
        targets: { agent: { type: 'cli', command: ['sh', './agent.sh'] } },
        run: { concurrency: 1 },
      },
      'agent.sh':
        'case $ASSAY_SYSTEM_PROMPT in *length*) while ! [ -e go ]; do sleep 0.05; done;; esac\nprintf "%s" "$ASSAY_SYSTEM_PROMPT"\n',
    },
  );
  const program = project.start(['run', 'evals']);
  await until('the first variant has ended', () => {
    const [run] = project.runs();
    return run !== undefined && rowsOf(run).length === 1;
  });
  program.kill('SIGKILL');
  await program.ended;
  project.write({ go: '', 'evals/prompts/long.md': 'Answer at full length.\n' });
  const refused = await project.assay('resume', 'latest');
  expect({ code: refused.code, stderr: refused.stderr }).toEqual({
    code: 2,
    stderr: expect.stringContaining('target agent[prompt=long]'),
  });
  project.write(PROMPTS);
  const resumed = await project.assay('resume', 'latest');
  expect({ code: resumed.code, answers: answers(project) }).toEqual({ code: 0, answers: BOTH });
});

describe('mistakes in variants of a suite', () => {
  async function problemsOf(execution: object, more: Files = {}): Promise<readonly string[]> {
    await using project = projectOf(execution, more);
    const { code, stderr } = await project.assay('run', 'evals');
    expect({ code, runs: project.runs() }).toEqual({ code: 2, runs: [] });
    return stderr.split('\n').filter((line) => line.startsWith('evals/'));
  }

  const variants = (over: object, rest: object = {}) => ({ variants: { base: 'agent', over, ...rest } });
  const at = (text: string) => expect.stringMatching(new RegExp(`^evals/some.eval.yaml:\\d+:\\d+ +${text}`));

  test('keys, names, rows and bases are refused at their place', async () => {
    expect(await problemsOf(variants({ promt: ['a', 'b'] }))).toEqual([
      at('unknown-key .*did you mean `prompt`'),
      at('unknown-key .*did you mean `prompt`'),
    ]);
    expect(await problemsOf(variants({ prompt: ['a/x', 'b/x'] }))).toEqual([
      at('variant-name .*two values of `prompt` have the name "x"'),
    ]);
    expect(await problemsOf(variants(FILES, { include: [{ prompt: 'shrt' }] }))).toEqual([
      at('variants-row .*execution.variants.include\\[0\\]: unknown value "shrt".*did you mean `short`'),
    ]);
    expect(await problemsOf({ variants: { base: 'agnet', over: FILES } })).toEqual([
      at('unknown-target .*execution.variants.base: unknown target "agnet".*did you mean `agent`'),
    ]);
    expect(await problemsOf({ target: 'other', variants: { base: 'agent', over: FILES } })).toEqual([
      at('conflict .*this target is missing in'),
    ]);
  });

  test('10,000 combinations are refused, with the limit', async () => {
    const hundred = Array.from({ length: 100 }, (_, i) => i + 1);
    expect(await problemsOf(variants({ timeoutMs: hundred, idleTimeoutMs: hundred }))).toEqual([
      at('variants-too-many .*10000 combinations are too many; the limit is 200'),
    ]);
  });

  test('two suites cannot make different variants of one name', async () => {
    const other = suiteOf(variants({ prompt: { short: 'Answer differently.' } }));
    expect(await problemsOf(variants(FILES), { 'evals/zzz.eval.yaml': other })).toEqual([
      expect.stringMatching(/^evals\/zzz.eval.yaml:\d+:\d+ +variant-name .*agent\[prompt=short\]/),
    ]);
  });

  test('prompt files that are missing, empty, large or binary are refused', async () => {
    const found = await problemsOf(
      variants({
        prompt: ['./prompts/none.md', './prompts/empty.md', './prompts/large.md', './prompts/binary.md'],
      }),
      {
        'evals/prompts/empty.md': ' \n',
        'evals/prompts/large.md': 'x'.repeat(1024 * 1024),
        'evals/prompts/binary.md': 'a\0b',
      },
    );
    expect(found).toEqual([
      at('prompt-file .*prompt file not found: ./evals/prompts/none.md'),
      at('prompt-file .*prompt file ./evals/prompts/empty.md is empty'),
      at('prompt-file .*large.md has 1048576 bytes; the limit is 102400'),
      at('prompt-file .*binary.md is not text'),
    ]);
  });
});
