import { describe, expect, test } from 'vitest';

import { openProject } from './support/here.ts';
import type { Project } from './support/project.ts';

function project(): Project {
  return openProject({
    'assay.config.json': {
      targets: { agent: { type: 'mock', response: 'the answer' }, other: { type: 'mock', response: 'no' } },
      run: { seed: 3 },
    },
    'some.eval.yaml': {
      tests: ['one', 'two'].map((id) => ({ id, input: 'a question' })),
      assert: [{ type: 'contains', value: 'answer' }],
    },
  });
}

describe.concurrent('names of runs', () => {
  test('--limit of a list is a number', async () => {
    await using some = project();
    const ended = await some.assay('runs', '--limit', 'abc');
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain('Give a whole number from 1.');
  });

  test('--dry looks for the failed run where --out says', async () => {
    await using some = project();
    await some.assay('run', '--target', 'other', '--out', 'elsewhere');
    const ended = await some.assay(
      'run',
      '--dry',
      '--target',
      'other',
      '--out',
      'elsewhere',
      '--failed',
      'latest',
    );
    expect({ code: ended.code, stderr: ended.stderr }).toEqual({ code: 0, stderr: '' });
    expect(ended.stdout).toContain('2 cases of 1 suite, 2 trials');
  });
});
