import { existsSync } from 'node:fs';

import { expect, test } from 'vitest';

import { openProject, rowsOf, type Files, type Project } from './support/project.ts';
import { until } from './support/until.ts';

const suite = (cases: Readonly<Record<string, string>>): Files => ({
  'evals/some.eval.yaml': {
    tests: Object.entries(cases).map(([id, input]) => ({
      id,
      input,
      assert: [{ type: 'contains', value: 'answer' }],
    })),
  },
});

function projectWith(cases: Readonly<Record<string, string>>): Project {
  return openProject({
    'assay.config.json': {
      targets: { agent: { type: 'cli', command: ['sh', './agent.sh'], prompt: './prompt.md' } },
      run: { seed: 1 },
    },
    'agent.sh': 'echo "$ASSAY_CASE_ID" >> asked.txt\nprintf "answer: %s" "$ASSAY_SYSTEM_PROMPT"\n',
    'prompt.md': 'Be kind.',
    ...suite(cases),
  });
}

type Program = ReturnType<Project['start']>;

const isWatching = (program: Program, times: number) =>
  until('it watches', () => program.complaints().split('watching this folder').length > times);

const asked = (project: Project) =>
  existsSync(project.path('asked.txt')) ? project.read('asked.txt').trim().split('\n').sort() : [];

test('an edited case, a new one and an edited prompt run what they change, in one run', async () => {
  await using project = projectWith({ a: 'one', b: 'two' });
  const program = project.start(['run', '--watch']);
  await isWatching(program, 1);
  expect(asked(project)).toEqual(['a', 'b']);

  project.write(suite({ a: 'one', b: 'three', c: 'four' }));
  await isWatching(program, 2);
  expect(asked(project)).toEqual(['a', 'b', 'b', 'c']);

  project.write({ 'prompt.md': 'Be brief.' });
  await isWatching(program, 3);
  expect(asked(project)).toHaveLength(7);
  const answers = rowsOf(project.runs()[0] ?? '').map(({ output }) => output);
  expect(answers.filter((answer) => answer === 'answer: Be brief.')).toHaveLength(3);
  expect(project.runs()).toHaveLength(1);

  project.write({ 'evals/some.eval.yaml': 'tests: [' });
  await until('the mistake is told', () => program.complaints().includes('some.eval.yaml:1'));
  program.kill('SIGINT');
  expect((await program.ended).code).toBe(2);
});

test('Ctrl-C right at the message of a mistake ends it', async () => {
  await using project = projectWith({ a: 'one' });
  // Sends the signal before the program can do anything after the first word of the message.
  project.write({
    'signal.mjs': `
      // As some libraries do.
      process.on('SIGINT', () => {});
      const write = process.stderr.write.bind(process.stderr);
      process.stderr.write = (text, ...rest) => {
        const isWritten = write(text, ...rest);
        if (String(text).includes('some.eval.yaml:1')) process.kill(process.pid, 'SIGINT');
        return isWritten;
      };`,
  });
  const program = project.start(['run', '--watch'], {
    NODE_OPTIONS: `--import ${project.path('signal.mjs')}`,
  });
  await isWatching(program, 1);
  project.write({ 'evals/some.eval.yaml': 'tests: [' });
  expect((await program.ended).code).toBe(2);
});

test('Ctrl-C before the first run ends it without a result', async () => {
  await using project = projectWith({ a: 'one' });
  // Sends the signal as soon as the program listens, which is before it has loaded what runs.
  project.write({
    'signal.mjs': `
      process.once('newListener', function listen(name) {
        if (name === 'SIGINT') setImmediate(() => process.kill(process.pid, 'SIGINT'));
        else process.once('newListener', listen);
      });`,
  });
  const program = project.start(['run', '--watch'], {
    NODE_OPTIONS: `--import ${project.path('signal.mjs')}`,
  });
  expect((await program.ended).code).toBe(130);
});

test('what runs write themselves does not start the next one', async () => {
  await using project = projectWith({ a: 'one' });
  const program = project.start(['run', '--watch', '--reporter', 'markdown=report.md']);
  await isWatching(program, 1);
  project.write(suite({ a: 'two' }));
  await isWatching(program, 2);
  project.write(suite({ a: 'three' }));
  await isWatching(program, 3);
  program.kill('SIGINT');
  await program.ended;
  const told = program.complaints();
  expect(told.match(/^changed: .*$/gm)).toEqual(Array(2).fill('changed: evals/some.eval.yaml'));
  expect(asked(project)).toEqual(['a', 'a', 'a']);
});

test('it is refused with flags that have one end', async () => {
  await using project = projectWith({ a: 'one' });
  const { code, stderr } = await project.assay('run', '--watch', '--json');
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: expect.stringContaining('--watch does not work with --json'),
  });
});
