import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');

const sheets = ['web/src/look', 'scripts/docs'].flatMap((folder) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.css'))
    .map((name) => join(folder, name)),
);

/** The blocks of a sheet for dark, without their outer braces. */
function darkBlocks(css: string): readonly string[] {
  return [...css.matchAll(/prefers-color-scheme[^{]*\{((?:[^{}]*\{[^{}]*\})*[^{}]*)\}/g)].map(
    ([, block = '']) => block,
  );
}

/** What such a block changes besides colours. */
function moreThanColours(block: string): readonly string[] {
  return [...block.matchAll(/([\w-]+)\s*:\s*([^;}]+)[;}]/g)]
    .filter(([, name = '', value = '']) => !name.startsWith('--') || !/^#[0-9a-f]{3,8}$/.test(value.trim()))
    .map(([declaration]) => declaration);
}

// In dark, the tests of the browser ask axe only for what depends on colours: `light-dark()` holds nothing else.
test.each(sheets)('%s changes nothing but colours in dark', (sheet) => {
  const css = readFileSync(join(root, sheet), 'utf8');
  const blocks = darkBlocks(css);
  expect(blocks.length).toBe(css.split('prefers-color-scheme').length - 1);
  expect(blocks.flatMap(moreThanColours)).toEqual([]);
});

test('a block that hides something in dark is noticed', () => {
  const css = '@media (prefers-color-scheme: dark) { :root { --a: #fff; } p { display: none; } }';
  expect(darkBlocks(css).flatMap(moreThanColours)).toEqual(['display: none;']);
});
