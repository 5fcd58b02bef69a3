import { expect, test } from 'vitest';

import { chosenImage } from './choose-engine.ts';
import { fakeEngine } from './fake-engine.fixture.ts';

test('a search that another caller ends is made again', async () => {
  using engine = fakeEngine('podman');
  engine.setImage('sha');
  const settings = { level: 'container', image: 'some:1', engine: 'podman' } as const;
  const other = new AbortController();
  const ended = chosenImage(settings, engine.place, other.signal);
  const found = chosenImage(settings, engine.place, new AbortController().signal);
  other.abort(new Error('interrupted'));
  await expect(ended).rejects.toThrow('interrupted');
  expect(await found).toMatchObject({ id: 'sha' });
});
