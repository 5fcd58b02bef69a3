import { expect, test } from 'vitest';

import { openProject } from './support/here.ts';

const ESCAPES = '\u001b]0;title\u0007\u001b[2J\u009b1m\u202e';

test('names that hold escape sequences are printed without them, and stay what they are', async () => {
  const id = `a${ESCAPES}\nb`;
  await using project = openProject({
    'assay.config.json': { targets: { [`t${ESCAPES}x`]: { type: 'mock', response: 'hi' } } },
    'some.eval.yaml': { tests: [{ id, input: 'x', assert: [{ type: 'contains', value: 'hi' }] }] },
  });
  const dry = await project.assay('run', '--dry');
  const run = await project.assay('run');
  const runs = await project.assay('runs');
  expect([dry.code, dry.stderr]).toEqual([0, '']);
  expect(dry.stdout).toContain('some.eval.yaml  a b  tx\n');
  expect(runs.stdout).toContain('some.eval.yaml  -> tx\n');
  for (const { stdout, stderr } of [dry, run, runs]) {
    expect(JSON.stringify(stdout + stderr)).not.toMatch(/\\u001b|\\u0007|\u009b|\u202e/);
  }
});
