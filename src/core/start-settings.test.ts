import { expect, test } from 'vitest';

import { manifestOf } from '../storage/run-directory/fixtures/runs.ts';
import { startSettings } from './start-settings.ts';

const { settings } = manifestOf({});
const target = { type: 'http', config: {}, digest: 0 };

test('a request keeps what it says, and its defaults are those of the plan', () => {
  const planned = manifestOf({
    seed: 7,
    settings: { ...settings, repeat: 2, concurrency: 10, maxErrored: 0, options: { maxCostUsd: 3 } },
    targets: [
      { name: 'bot', ...target },
      { name: 'desk', ...target, agent: { id: 'a1', version: 3 } },
    ],
  });
  const asked = { name: 'nightly', select: { set: 'smoke' }, agents: [{ id: 'desk' }] };
  expect(startSettings(planned, asked)).toMatchObject({
    ...asked,
    agents: [{ id: 'a1', version: 3 }],
    targets: ['bot'],
    repetitions: 2,
    concurrency: 10,
    max_errored: 0,
    budget_usd: 3,
    seed: 7,
  });
});

test('filled settings stay as they are when they are filled again', () => {
  const filled = startSettings(manifestOf({ seed: 7 }));
  expect(startSettings(manifestOf({ seed: 7 }), filled)).toEqual(filled);
});
