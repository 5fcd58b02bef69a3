import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { folderOfTest } from '../../test/support/test-folders.ts';
import { eventsOf, fakeScreen, readerOf, servicesFor, unjudged, viewOf } from './fixtures/sample-run.ts';
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

test.each(sinks)(
  '$type says of a passed trial that its expected outcomes were not judged',
  async (plugin) => {
    const folder = folderOfTest('assay-unjudged-');
    const screen = fakeScreen();
    const sink = plugin.create(
      servicesFor(folder, {
        screen,
        reader: readerOf([unjudged]),
        view: () => viewOf([unjudged]),
        verbosity: 'verbose',
      }),
    );
    for (const event of eventsOf([unjudged])) await sink.write(event);
    await sink.close?.();
    const { defaultFile } = plugin;
    const text =
      defaultFile === undefined ? screen.text() : await readFile(join(folder, defaultFile), 'utf8');
    expect(text.match(/not judged|"unjudged": ?1/g) ?? []).not.toEqual([]);
    expect(text.match(/.*(1 errored|"errored": ?1).*/g)).toBeNull();
  },
);
