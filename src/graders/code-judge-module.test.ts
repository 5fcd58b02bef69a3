import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

import type { Subject } from '../core/grade.ts';
import { codeJudge } from './code-judge.ts';
import { services as noServices, subjectOf } from './subject.fixture.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'assay-module-grader-test-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

async function grade(source: string, subject: Subject = subjectOf({ answer: 'yes' })) {
  const script = `grader-${Math.random().toString(36).slice(2)}.ts`;
  await writeFile(join(directory, script), source);
  const environment = { PATH: '/usr/bin:/bin' };
  const grader = codeJudge.create(codeJudge.config.parse({ script: [script], timeout_ms: 1500 }), {
    ...noServices,
    directory,
    environment,
  });
  return await grader.grade(subject, new AbortController().signal);
}

test('a TypeScript module grades by its default export, even if it logs and leaves handles open', async () => {
  const source = `
    enum Word { Yes = 'yes' }
    export default async (input: { answer: string; test_id: string }) => {
      console.log('{"score": 0}');
      setInterval(() => {}, 1000);
      return { score: input.answer === Word.Yes ? 1 : 0, reason: \`\${input.test_id} said \${input.answer}\` };
    };`;
  expect(await grade(source)).toEqual([{ score: 1, reason: 'case said yes' }]);
});

test('its input contains a transcript of any size', async () => {
  const entries = [
    { type: 'message' as const, role: 'assistant' as const, parts: [{ text: 'z'.repeat(2 ** 21) }] },
  ];
  const source = `export default (input) => ({ score: 1, reason: Object.keys(input).filter((key) => key.endsWith('_path'))
    + ' ' + input.transcript[0].parts[0].text.length + ' ' + input.output[0].content.length });`;
  expect(await grade(source, subjectOf({ entries }))).toEqual([
    { score: 1, reason: `workspace_path ${2 ** 21} ${2 ** 21}` },
  ]);
});

test('a module that throws is an error with the place', async () => {
  const source = 'export default () => {\n  throw new Error("no idea");\n};\n';
  await expect(grade(source)).rejects.toThrow(
    /the grader could not grade: Error: no idea[^]*grader-\w+\.ts:2:/,
  );
});

test('a module without a default export is an error with an example', async () => {
  await expect(grade('export const grader = 1;')).rejects.toThrow(
    /has no grader: write export default defineGrader\(/,
  );
});

test.each([
  ['returns nothing', 'export default () => undefined;', 'returned undefined, not { score, reason? }'],
  [
    'ends the process',
    'export default () => process.exit(0);',
    'the check ended its process, with exit code 0',
  ],
  ['never answers', 'export default () => new Promise(() => {});', 'the check took more than 1500 ms'],
  ['never ends', 'export default () => { for (;;); };', 'the check took more than 1500 ms'],
  ['throws a text', 'export default () => { throw "a text"; };', 'the grader could not grade: a text'],
  ['returns NaN', 'export default () => ({ score: Number.NaN });', 'score: must be a number from 0 to 1'],
])('a module that %s is an error', async (_, source, words) => {
  await expect(grade(source)).rejects.toThrow(words);
});

test('trials share the process of a module, with the variables and the directory of a process of its own', async () => {
  const source = `import { readFileSync } from 'node:fs';
    let asked = 0;
    export default ({ answer }) => {
      const reason = [++asked, process.env.ASSAY_CASE_ID, process.env.MODE, readFileSync('beside.txt', 'utf8')].join(' ');
      process.env.MODE = 'changed';
      return { score: 1, reason };
    };`;
  await writeFile(join(directory, 'kept.mjs'), source);
  await writeFile(join(directory, 'beside.txt'), 'beside');
  const environment = { PATH: '/usr/bin:/bin' };
  const config = codeJudge.config.parse({ script: './kept.mjs', env: { MODE: 'strict' } });
  const grader = codeJudge.create(config, { ...noServices, directory, environment });
  const reasonOf = async (id: string) =>
    (await grader.grade(subjectOf({ case: { id } }), new AbortController().signal))[0]?.reason;
  expect(await reasonOf('a')).toBe('1 a strict beside');
  expect(await reasonOf('b')).toBe('2 b strict beside');
});
