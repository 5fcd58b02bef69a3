import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, expect, inject, test } from 'vitest';
import { parse } from 'yaml';

import { blocksOf, wordOf } from '../docs/blocks.ts';
import { scratchFolder, shell } from '../docs/packed.ts';

const scratch = scratchFolder();
const workflows = blocksOf('docs/guide/ci.md')
  .filter((block) => wordOf(block, 'file')?.startsWith('.github/workflows/') === true)
  .map(({ text }) => parse(text) as Workflow);

afterAll(() => scratch[Symbol.dispose]());

interface Workflow {
  readonly name: string;
  readonly jobs: Readonly<Record<string, { readonly steps: readonly Step[] }>>;
}

interface Step {
  readonly run?: string;
  readonly uses?: string;
  readonly with?: Readonly<Record<string, string | number | boolean>>;
}

/** Stands for GitHub: what `upload-artifact` has put there, `gh run download` gives back. */
const GH = `#!/bin/sh
case "$2" in
  list) echo 17 ;;
  download) [ "$3" = 17 ] && cp -R "../artifacts/$5" "$7" ;;
esac
`;

/** A project of its own in which assay runs and everything passes. */
async function newProject(name: string): Promise<string> {
  const project = join(scratch.path, name);
  mkdirSync(join(project, 'bin'), { recursive: true });
  symlinkSync(join(inject('installed'), 'node_modules'), join(project, 'node_modules'));
  writeFileSync(join(project, 'bin/gh'), GH);
  chmodSync(join(project, 'bin/gh'), 0o755);
  const { code, stdout, stderr } = await shell('npx assay init', project);
  expect({ code, complaint: code === 0 ? '' : stdout + stderr }).toEqual({ code: 0, complaint: '' });
  return project;
}

/** Runs the steps of a job, but for those that fetch the code and its dependencies. */
async function runJob(name: string, steps: readonly Step[]): Promise<number | null> {
  const project = await newProject(name);
  for (const { run, uses, with: given } of steps) {
    if (uses?.startsWith('actions/upload-artifact')) {
      const copy = `mkdir -p ../artifacts && cp -R '${given?.['path']}' '../artifacts/${given?.['name']}'`;
      await shell(copy, project);
    }
    if (run === undefined || run === 'npm ci') continue;
    const { code } = await shell(`PATH="$PWD/bin:$PATH"\n${run}`, project);
    if (code !== 0) return code;
  }
  return 0;
}

test('the workflows of the CI page pass for an agent that is as good as on the main branch', async () => {
  const outcomes: Record<string, number | null> = {};
  for (const { name, jobs } of workflows) {
    for (const [job, { steps }] of Object.entries(jobs)) {
      outcomes[`${name}/${job}`] = await runJob(`${name}-${job}`, steps);
    }
  }
  expect(outcomes).toEqual({ 'evals/evals': 0, 'compare/main': 0, 'compare/pull-request': 0 });
});
