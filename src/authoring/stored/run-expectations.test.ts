import { describe, expect, test } from 'vitest';

import { graders } from '../../graders/index.ts';
import type { JsonObject } from '../../lib/json.ts';
import { temporaryFolder } from '../../../test/contracts/target.ts';
import { runExpectations, type RunExpectations } from './run-expectations.ts';

const byType = new Map(graders.map((plugin) => [plugin.type, plugin]));
const shelf: RunExpectations['graders'] = {
  get: (type) => byType.get(type),
  keys: () => byType.keys(),
  load: async () => {},
};

async function read(entries: RunExpectations['entries'], more: Partial<RunExpectations> = {}) {
  const directory = temporaryFolder();
  const { expectations, problems } = await runExpectations({
    entries,
    origin: { file: 'request' },
    directory,
    projectRoot: directory,
    graders: shelf,
    targets: new Set(['oracle']),
    hasJudge: true,
    ...more,
  });
  return { names: expectations.map(({ name }) => name), problems };
}

const contains: JsonObject = { type: 'contains', value: 'x' };

describe('an evaluator of a request', () => {
  test.each<[JsonObject, string, (string | number)[]?]>([
    [{ type: 'code_judge', script: ['./judge'] }, '"code_judge" starts a program'],
    [{ type: 'code_judge', script: 'exit 0' }, '"code_judge" starts a program'],
    [{ type: 'agent_judge', rubrics: ['x'], target: 'oracle' }, '"agent_judge" starts a program'],
    [{ type: 'agent_judge', rubrics: ['x'] }, '"agent_judge" reads files'],
    [{ type: 'files', exists: ['report.txt'] }, '"files" reads files'],
    [{ type: 'llm_judge', prompt: './prompt.md' }, '"llm_judge" reads the file ./prompt.md'],
    [{ type: 'is_json', schema: '/etc/schema.json' }, '"is_json" reads the file /etc/schema.json'],
    [
      { type: 'composite', assert: [contains], aggregator: { type: 'code_judge', script: ['x'] } },
      '"composite" starts a program',
    ],
    [
      { type: 'composite', assert: [contains], aggregator: { type: 'llm_judge', prompt: './p.txt' } },
      '"composite" reads the file ./p.txt',
    ],
    [
      { type: 'composite', assert: [contains, { type: 'files', exists: ['a'] }] },
      '"files" reads files',
      ['assert', 1],
    ],
  ])('is refused: %j', async (entry, what, below = []) => {
    const { names, problems } = await read([contains, entry], { isRequest: true });
    expect(names).not.toContain(entry['type']);
    expect(problems).toEqual([
      {
        file: 'request',
        path: ['expectations', 1, ...below],
        code: 'not-in-request',
        message: `the evaluator ${what}, which is not allowed in a request`,
        hint: 'write the evaluator under `run.expectations` of the config',
      },
    ]);
  });

  test('is taken when it decides by what was said, and told where it is written', async () => {
    const taken: JsonObject[] = [
      contains,
      { type: 'llm_judge', prompt: 'Is {{ answer }} polite?', judge: 'oracle' },
      { type: 'is_json', schema: { type: 'object' } },
      { type: 'composite', assert: [contains], aggregator: { type: 'llm_judge', prompt: 'Is it?' } },
    ];
    expect(await read(taken, { isRequest: true })).toEqual({
      names: ['contains-x', 'llm_judge', 'is_json', 'composite'],
      problems: [],
    });
    const { problems } = await read([{ type: 'contians', value: 'x' }], { isRequest: true });
    expect(problems.map(({ code, path, hint }) => [code, path, hint])).toEqual([
      ['unknown-grader', ['expectations', 0, 'type'], 'did you mean `contains`?'],
    ]);
  });
});

test('an evaluator of the config may start programs', async () => {
  expect(await read([{ type: 'code_judge', script: 'exit 0' }])).toEqual({
    names: ['code_judge'],
    problems: [],
  });
});
