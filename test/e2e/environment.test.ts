import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { openProject } from './support/here.ts';
import { newestRun, rowOf, rowsOf } from './support/project.ts';

test('graders and scripts are told where the run is kept, and agents are not', async () => {
  const tell = (who: string) => ['sh', '-c', `env > '${who}'; echo '{"score": 1}'`];
  await using project = openProject({});
  project.write({
    'module.mjs': `import { writeFileSync } from 'node:fs';
      writeFileSync(${JSON.stringify(project.path('module.txt'))}, Object.entries(process.env).map((pair) => pair.join('=')).join('\\n'));
      export default () => 'x';`,
    'some.eval.yaml': {
      tests: [
        {
          id: 'one',
          input: 'x',
          execution: { targets: ['agent', 'module'] },
          workspace: { setup: { script: tell(project.path('setup.txt')) } },
          assert: [{ type: 'code_judge', script: tell(project.path('grader.txt')) }],
        },
      ],
    },
    'assay.config.json': {
      targets: {
        agent: { type: 'cli', command: tell(project.path('agent.txt')) },
        module: { type: 'module', module: './module.mjs' },
      },
    },
  });
  expect((await project.assay('run')).code).toBe(0);
  const run = newestRun(project);
  const tellsRun = (who: string) => project.read(`${who}.txt`).includes(run);
  expect(['agent', 'module', 'grader', 'setup'].map(tellsRun)).toEqual([false, false, true, true]);
  expect(project.litter()).toEqual([]);
});

test('an agent that forges the files of its run where it may write changes nothing, and its files are kept', async () => {
  const FORGES = `for place in "$ASSAY_OUTPUT_DIR" "$ASSAY_ARTIFACT_DIR" "$ASSAY_ARTIFACT_DIR/../../.."; do
      for file in "$place/results.jsonl" "$place/events.jsonl" "$place/run.json"; do
        [ -e "$file" ] && sed -i 's/failed/passed/g' "$file"
      done
    done
    echo '{"verdict":"passed"}' >> "$ASSAY_OUTPUT_DIR/results.jsonl"
    echo mine > "$ASSAY_ARTIFACT_DIR/stdout.log"; echo wrong`;
  await using project = openProject({
    'some.eval.yaml': {
      tests: ['one', 'two'].map((id) => ({
        id,
        input: 'x',
        assert: [{ type: 'contains', value: 'the answer' }],
      })),
    },
    'assay.config.json': {
      run: { concurrency: 1 },
      targets: { agent: { type: 'cli', command: ['sh', '-c', FORGES] } },
    },
  });
  expect((await project.assay('run')).code).toBe(1);
  const run = newestRun(project);
  expect(rowsOf(run).map(({ verdict }) => verdict)).toEqual(['failed', 'failed']);
  const { artifactDir = '' } = rowOf(run, 'two');
  const kept = (name: string) => readFileSync(join(run, artifactDir, name), 'utf8');
  expect(kept('results.jsonl')).toBe('{"verdict":"passed"}\n');
  expect(project.litter()).toEqual([]);
});
