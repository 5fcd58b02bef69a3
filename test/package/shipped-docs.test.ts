import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { expect, inject, test } from 'vitest';

import { PAGES } from '../docs/blocks.ts';

const installed = join(inject('installed'), 'node_modules/assay');

const files = readdirSync(installed, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map(({ parentPath, name }) => join(parentPath, name).slice(installed.length + 1));

test('every page of the guide and of the reference is in the package', () => {
  expect(PAGES.filter((page) => !files.includes(page))).toEqual([]);
  expect(files.filter((file) => file.startsWith('docs/reference/')).length).toBeGreaterThan(6);
});

test('every link of an installed page leads to an installed file', () => {
  const pages = files.filter((file) => file.endsWith('.md'));
  const broken = pages.flatMap((page) =>
    [...readFileSync(join(installed, page), 'utf8').matchAll(/\]\(([^)\s#]+)[^)\s]*\)/g)]
      .map(([, link = '']) => link)
      .filter((link) => !/^(https?|mailto):/.test(link) && !existsSync(join(installed, dirname(page), link)))
      .map((link) => `${page}: ${link}`),
  );
  expect(pages.length).toBeGreaterThan(20);
  expect(broken).toEqual([]);
});

test('every page that a message names is in the package', () => {
  const texts = files.filter((file) => /^dist\/.*\.(js|txt)$|^[a-z.-]+\.json$/.test(file));
  const named = texts.flatMap((file) => [
    ...(readFileSync(join(installed, file), 'utf8').match(/\bdocs\/(guide|reference)\/[\w-]+\.md\b/g) ?? []),
  ]);
  expect(named).toContain('docs/reference/errors.md');
  expect([...new Set(named)].filter((page) => !files.includes(page))).toEqual([]);
});
