import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { AuthoringError } from '../core/problem.ts';
import { loadProject } from './load-project.ts';

test('a config that cannot be read is no config without a judge', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-load-project-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const config = { targets: { bot: { type: 'mock', response: 'hi' } }, judge: { model: 'a/b' }, runn: {} };
  writeFileSync(join(folder, 'assay.config.json'), JSON.stringify(config));
  const suite = { tests: [{ id: 'a', criteria: 'is polite', input: 'hi' }] };
  writeFileSync(join(folder, 'a.eval.yaml'), JSON.stringify(suite));
  const surroundings = { cwd: folder, environment: {}, now: () => 0, commandLine: [] };
  const loading = loadProject({ options: { patterns: [] }, surroundings });
  const error = await loading.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(AuthoringError);
  expect((error as AuthoringError).problems.map(({ code }) => code)).toEqual(['unknown-key']);
});
