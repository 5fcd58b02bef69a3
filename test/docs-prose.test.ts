import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { PAGES } from './docs/blocks.ts';
import { root } from './docs/packed.ts';
import { stumblesOf } from './docs/prose.ts';

const textOf = (page: string) => readFileSync(join(root, page), 'utf8');

/** Pages that people wrote; generated ones have the words of the program. */
const WRITTEN = [
  ...PAGES,
  'AGENTS.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'docs/GLOSSARY.md',
  'docs/architecture.md',
  'docs/reference/performance.md',
  'docs/reference/statistics.md',
  'examples/judges/README.md',
  'examples/quickstart/README.md',
  'examples/test-cases/README.md',
];

const DECISIONS = readdirSync(join(root, 'docs/decisions')).map((name) => `docs/decisions/${name}`);

describe.each(WRITTEN)('%s', (page) => {
  test('no sentence is longer than 20 words, and none is a riddle', () => {
    expect(stumblesOf(textOf(page))).toEqual([]);
  });
});

test.each([...WRITTEN, ...DECISIONS])('no table of %s has an empty cell', (page) => {
  const empty = textOf(page)
    .split('\n')
    .flatMap((line, index) => (/^\|.*\|\s*\|/.test(line) ? [`${index + 1}: ${line}`] : []));
  expect(empty).toEqual([]);
});

test.each(PAGES.filter((page) => page !== 'README.md'))(
  '%s says first when to read it, and then shows an example',
  (page) => {
    const [title, intro = '', ...rest] = textOf(page).trim().split('\n\n');
    expect(title).toMatch(/^# [^\n]+$/);
    expect(intro).toMatch(/^Read this page /);
    const firstScreen = rest.slice(0, 4).join('\n');
    expect(firstScreen).toMatch(/^```(sh|yaml|yml|ts|text)\b/m);
  },
);

describe('stumblesOf', () => {
  test('reports a long sentence with its line, and counts code and lists of code as one word', () => {
    const long = `${'word '.repeat(20)}end.`;
    const short = `Use ${'`a`, '.repeat(30)}or \`b\`.`;
    expect(stumblesOf(`# Title\n\n${short}\n\n${long}\n`)).toEqual([
      { line: 5, why: '21 words', sentence: long },
    ]);
  });

  test('reports riddles in paragraphs, lists and cells, and passes over code', () => {
    const text = '* There are none.\n\n| a | nobody knows |\n| --- | --- |\n\n```\nnobody\n```\n';
    expect(stumblesOf(text).map(({ line, why }) => [line, why])).toEqual([
      [1, 'riddle'],
      [3, 'riddle'],
    ]);
  });
});
