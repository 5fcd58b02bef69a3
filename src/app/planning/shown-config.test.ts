import { expect, test } from 'vitest';

import { digestOf } from '../../lib/digest.ts';
import { shownConfig } from './shown-config.ts';

test('texts of files stand as their digests, and all else as it was written', () => {
  const text = '{"apiKey":"key-in-a-file"}';
  expect(shownConfig({ type: 'pi', model: 'p/m', files: { '.pi/agent/models.json': text } })).toEqual({
    type: 'pi',
    model: 'p/m',
    files: { '.pi/agent/models.json': digestOf(text) },
  });
});

test('a config without files, or with files of another kind, stays as it is', () => {
  for (const config of [
    { type: 'cli', command: ['x'] },
    { type: 'own', files: ['a.txt'] },
  ]) {
    expect(shownConfig(config)).toEqual(config);
  }
});
