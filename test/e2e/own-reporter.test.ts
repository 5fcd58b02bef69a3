import { expect, test } from 'vitest';

import { eventsOf, manifestOf, newestRun, openProject } from './support/project.ts';

const files = {
  'assay.config.json': { targets: { agent: { type: 'mock', response: 'the answer' } } },
  'some.eval.yaml': { tests: [{ id: 'one', input: 'x', assert: [{ type: 'contains', value: 'answer' }] }] },
};

const REPORTER = `
import { readFileSync, writeFileSync } from 'node:fs';
import { defineReporter, type RunEvent } from 'assay';

export default defineReporter(({ file, runDirectory, reader, view }) => {
  const types: string[] = [];
  return {
    write: ({ fact }: RunEvent) => void types.push(fact.type),
    async close() {
      const verdicts: string[] = [];
      for await (const row of reader.rows()) verdicts.push(row.verdict);
      const { state } = JSON.parse(readFileSync(runDirectory + '/run.json', 'utf8'));
      const told = JSON.parse(readFileSync(runDirectory + '/results.json', 'utf8')).run.state;
      const known = [(await reader.manifest()).state, view().state];
      writeFileSync(file!, JSON.stringify({ types, verdicts, state, told, known }));
    },
  };
});
`;

test('a module reports a run, which has ended only when its reports are there', async () => {
  await using project = openProject({ ...files, 'mine.ts': REPORTER });
  const ended = await project.assay('run', '--reporter', './mine.ts=seen.json');
  expect({ code: ended.code, stderr: ended.stderr }).toEqual({ code: 0, stderr: '' });
  expect(JSON.parse(project.read('seen.json'))).toEqual({
    types: [
      'run-start',
      'trial-start',
      'attempt-start',
      'transcript-entry',
      'transcript-entry',
      'grade',
      'attempt-end',
      'trial-end',
      'run-state',
    ],
    verdicts: ['passed'],
    state: 'running',
    told: 'completed',
    known: ['completed', 'completed'],
  });
  expect(manifestOf(newestRun(project)).state).toBe('completed');
});

test('the config names modules from its folder', async () => {
  const config = { ...files['assay.config.json'], run: { reporter: './mine.mjs' } };
  await using project = openProject({
    ...files,
    'assay.config.json': config,
    'mine.mjs': `export default ({ screen }) => ({ write() {}, close() { screen.write('told by mine\\n'); } });`,
    'below/other.eval.yaml': files['some.eval.yaml'],
  });
  const ended = await project.assay('run', 'below');
  expect([ended.code, ended.stdout.includes('told by mine')]).toEqual([0, true]);
});

test('a module that throws is dropped and named, and the run stays', async () => {
  const broken = `export default () => ({ name: 'mine', write() { throw new Error('cannot'); } });`;
  await using project = openProject({ ...files, 'mine.mjs': broken });
  const ended = await project.assay('run', '--reporter', './mine.mjs');
  expect(ended.code).toBe(5);
  const facts = eventsOf(newestRun(project)).map(({ fact }) => fact);
  expect(facts.filter(({ type }) => type === 'sink-error')).toEqual([
    { type: 'sink-error', sink: 'mine', message: 'cannot' },
  ]);
  expect(facts.at(-1)?.type).toBe('run-end');
});

test.each([
  ['is missing', undefined, /cannot use the reporter \S+mine\.mjs: the file does not exist/],
  ['has a mistake', 'export default (', /cannot use the reporter \S+mine\.mjs: .*[Uu]nexpected/],
  ['has no function', 'export default {}', /its default export must be a function or an object with hooks/],
] as const)('a module that %s keeps the run from starting', async (_, text, words) => {
  await using project = openProject(text === undefined ? files : { ...files, 'mine.mjs': text });
  const ended = await project.assay('run', '--reporter', './mine.mjs');
  expect({ code: ended.code, runs: project.runs() }).toEqual({ code: 2, runs: [] });
  expect(ended.stderr).toMatch(words);
});
