import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

import { temporaryFolder } from '../../test/contracts/target.ts';
import { askOf, doorTo, saying } from './door.fixture.ts';

/** A project with a package of a provider that assay itself does not have. */
function projectWith(name: string, source: string): string {
  const directory = temporaryFolder();
  const folder = join(directory, 'node_modules/@ai-sdk', name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({
      name: `@ai-sdk/${name}`,
      type: 'module',
      exports: { '.': { import: './index.js', default: './index.js' } },
    }),
  );
  writeFileSync(join(folder, 'index.js'), source);
  return directory;
}

const speaking = (version: string) => `
export function createSomethingElse() { throw new Error('the wrong factory'); }
export function createNewVendor({ apiKey }) {
  const languageModel = (modelId) => ({
    specificationVersion: '${version}',
    modelId,
    doGenerate: async ({ prompt }) => ({
      content: [{ type: 'text', text: apiKey + ' ' + modelId + ' ' + prompt[0].content[0].text }],
      finishReason: { unified: 'stop', raw: 'done' },
      usage: { inputTokens: { total: 3 }, outputTokens: { total: 4 } },
      warnings: [],
    }),
  });
  return { languageModel };
}`;

const doorOf = (directory: string) =>
  doorTo('http://127.0.0.1:9', { directory, environment: { NEW_VENDOR_API_KEY: 'the-key' } });

describe('a package of the project', () => {
  test.each(['v3', 'v4'])('answers with models of specification %s', async (version) => {
    const door = doorOf(projectWith('new-vendor', speaking(version)));
    expect(await askOf(door, saying('hi', { model: 'new-vendor/some/model' }))).toMatchObject({
      text: 'the-key some/model hi',
      model: 'new-vendor/some/model',
      usage: { inputTokens: 3, outputTokens: 4, totalTokens: 7 },
      costUsd: null,
    });
  });

  test.each([
    [
      'a specification that is not known',
      speaking('v2'),
      'implements v2 of the language model specification; assay supports v3 and v4 (AI SDK 6 and 7)',
      'package-unknown',
    ],
    ['no factory', 'export const nothing = 1;', 'does not export a provider factory', 'package-unknown'],
    ['code that does not load', 'throw new Error("broken inside");', 'broken inside', 'package-broken'],
  ])('with %s is refused with a reason', async (_, source, message, code) => {
    const asking = askOf(doorOf(projectWith('new-vendor', source)), saying('hi', { model: 'new-vendor/m' }));
    await expect(asking).rejects.toMatchObject({ code, message: expect.stringContaining(message) as string });
  });
});
