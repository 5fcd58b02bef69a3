import { expect, test } from 'vitest';

import { caseFileOf } from './case-file.ts';

const named = (name: string) => caseFileOf({ name, text: async () => '[]' });

test('the ending of a file says its format', async () => {
  const types = await Promise.all(
    ['a.JSONL', 'a.yml', 'a.json', 'cases'].map(async (name) => (await named(name)).type),
  );
  expect(types).toEqual(['application/jsonl', 'application/yaml', 'application/json', 'application/json']);
});

test('a file of another format is not taken for JSON', async () => {
  await expect(named('cases.CSV')).rejects.toThrow(
    '.csv files are not read: save the test cases as JSON, JSONL or YAML',
  );
});
