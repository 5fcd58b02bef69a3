import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { afterEach, beforeEach, expect, test } from 'vitest';
import { parse } from 'yaml';

import { importPromptfoo } from './import-promptfoo.ts';
import { validateSuites } from './validate-suites.ts';

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-import-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(files: Readonly<Record<string, string>>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
}

const surroundings = () => ({ cwd: folder, environment: {}, now: () => 0, commandLine: ['init'] });

/** What the import writes and says, and the problems of the new files. Packages of providers are not installed here. */
async function imported(config: string, files: Readonly<Record<string, string>> = {}) {
  write({ ...files, 'promptfooconfig.yaml': config });
  const request = { file: 'promptfooconfig.yaml', folder: undefined, mode: 'keep' } as const;
  const { text, suite, config: written } = await importPromptfoo(request, surroundings());
  const checked = await validateSuites(
    { patterns: [suite], targets: [], cases: [], config: written },
    surroundings(),
  );
  const { problems } = JSON.parse(checked.json) as { problems: { code: string; message: string }[] };
  return {
    text,
    config: parse(readFileSync(written, 'utf8')) as unknown,
    suite: parse(readFileSync(suite, 'utf8')) as unknown,
    problems: problems.filter(({ code }) => code !== 'package-missing'),
    lines: [written, suite].map((path) => readFileSync(path, 'utf8').trimEnd().split('\n').length),
  };
}

const CAPITALS = `prompts: [file://prompts/brief.txt, file://prompts/friendly.txt]
providers: [openai:gpt-5-mini, openai:chat:gpt-5]
defaultTest:
  assert:
    - { type: javascript, value: output.length < 400 }
    - { type: llm-rubric, value: Is polite. }
tests: file://cases.csv
`;

const FILES = {
  'prompts/brief.txt': 'Answer in one sentence: what is the capital of {{country}}?\n',
  'prompts/friendly.txt': 'You are a friendly teacher. What is the capital of {{ country }}?\n',
  'cases.csv': 'country,__expected\nPortugal,icontains: lisbon\nNorway,contains: Oslo\n',
};

test('prompts become variants that are sent as messages of the user, and the table stays', async () => {
  const { config, suite, problems, text } = await imported(CAPITALS, FILES);
  expect(problems).toEqual([]);
  expect(config).toEqual({
    targets: { model: { type: 'model', model: 'openai/gpt-5-mini', promptRole: 'user' } },
    variants: {
      base: 'model',
      over: {
        prompt: {
          brief: 'Answer in one sentence: what is the capital of {{ vars.country }}?',
          friendly: 'You are a friendly teacher. What is the capital of {{ vars.country }}?',
        },
        model: ['openai/gpt-5-mini', 'openai/gpt-5'],
      },
    },
    judge: { model: 'openai/gpt-5' },
  });
  expect(suite).toEqual({
    input: '{{ vars.country }}',
    threshold: 1,
    assert: [
      { type: 'javascript', value: 'output.length < 400' },
      { type: 'rubrics', criteria: ['Is polite.'] },
    ],
    tests: './cases.csv',
  });
  expect(text).toBe(
    'wrote assay.config.yaml\nwrote promptfoo.eval.yaml\n\n' +
      '1 part of promptfooconfig.yaml was not imported, or changed:\n' +
      'promptfooconfig.yaml:1:1  no model for the checks by a model is named: openai/gpt-5 was chosen  (change `judge` in assay.config.yaml)\n',
  );
});
