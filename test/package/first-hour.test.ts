import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { afterAll, expect, inject, test } from 'vitest';
import { parse } from 'yaml';

import { blocksOf, wordOf } from '../docs/blocks.ts';
import { emptyProject, scratchFolder, shell, VERSION } from '../docs/packed.ts';
import { notPrinted } from '../docs/shown-output.ts';

const PAGE = 'docs/guide/first-hour.md';
const scratch = scratchFolder();
const project = emptyProject(join(scratch.path, 'my-project'));

afterAll(() => scratch[Symbol.dispose]());

interface Workflow {
  readonly jobs: Readonly<Record<string, { readonly steps: readonly { readonly run?: string }[] }>>;
}

/** The commands that the workflow of the page runs. */
function stepsOfWorkflow(): readonly string[] {
  const text = readFileSync(join(project, '.github/workflows/evals.yml'), 'utf8');
  const { jobs } = parse(text) as Workflow;
  return Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []));
}

test('every step works as pasted, in the order of the page, from an empty folder to a verdict', async () => {
  mkdirSync(join(scratch.path, 'assay'));
  copyFileSync(inject('tarball'), join(scratch.path, 'assay', `assay-${VERSION}.tgz`));
  const outcomes = [];
  let printed = '';
  for (const block of blocksOf(PAGE)) {
    const file = wordOf(block, 'file');
    if (file !== undefined) {
      mkdirSync(dirname(join(project, file)), { recursive: true });
      writeFileSync(join(project, file), block.text);
    } else if (block.language === 'sh') {
      const { code, stdout, stderr } = await shell(block.text, project);
      printed += stdout;
      const stated = Number(wordOf(block, 'exit') ?? 0);
      outcomes.push({ line: block.line, code, stated, complaint: code === stated ? '' : stdout + stderr });
    }
  }
  expect(outcomes.length).toBeGreaterThan(8);
  expect(outcomes).toEqual(outcomes.map((each) => ({ ...each, code: each.stated, complaint: '' })));
  expect(notPrinted(['README.md', PAGE].flatMap(blocksOf), printed)).toEqual([]);
  const report = readFileSync(join(project, 'assay.md'), 'utf8');
  expect(report).toMatch(/^#### names-the-unit$/m);
  expect(report).toMatch(/inconclusive: /);
});

test('the workflow of the page is green on the first branch and red on the pull request', async () => {
  const steps = stepsOfWorkflow();
  expect(steps[0]).toBe('npm ci');
  await shell('git -c user.name=me -c user.email=me@example.com commit --quiet -am change', project);
  const red = await shell(steps.join('\n'), project);
  await shell('git checkout --quiet -', project);
  const green = await shell(steps.join('\n'), project);
  expect({ red: red.code, green: green.code, complaint: green.code === 0 ? '' : green.stdout }).toEqual({
    red: 1,
    green: 0,
    complaint: '',
  });
});
