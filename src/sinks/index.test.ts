import { expect, test } from 'vitest';

import { servicesFor } from './fixtures/sample-run.ts';
import { sinks } from './index.ts';

test('every sink is found by its type, and those that write a file have a place for it', () => {
  expect(sinks.map(({ type, defaultFile }) => [type, defaultFile])).toEqual([
    ['terminal', undefined],
    ['json', 'results.json'],
    ['junit', 'junit.xml'],
    ['github', undefined],
    ['markdown', 'report.md'],
    ['html', 'report.html'],
  ]);
});

test('a sink is named by its type', () => {
  for (const plugin of sinks) expect(plugin.create(servicesFor('/nowhere')).name).toBe(plugin.type);
});
