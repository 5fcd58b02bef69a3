import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { root, scratchFolder } from './docs/packed.ts';

const scratch = scratchFolder();
const site = join(scratch.path, 'site');

beforeAll(() => {
  execFileSync(process.execPath, [join(root, 'scripts/docs.mjs'), '--out', site]);
});

afterAll(() => scratch[Symbol.dispose]());

const pagesOfSite = () =>
  readdirSync(site, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.html'));

const unescaped = (text: string) =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');

test('every link of the built site leads to a page, and to an element where it names one', () => {
  const links = pagesOfSite().flatMap((page) =>
    [...readFileSync(join(site, page), 'utf8').matchAll(/ (?:href|src)="([^"]*)"/g)].map(([, link = '']) => ({
      page,
      link: unescaped(link),
    })),
  );
  const isLocal = ({ link }: { link: string }) => !/^(https?|mailto|data):/.test(link);
  const broken = links.filter(isLocal).filter(({ page, link }) => {
    const [path = '', anchor] = link.split('#');
    const file = path === '' ? join(site, page) : join(site, dirname(page), decodeURI(path));
    if (!existsSync(file) || statSync(file).isDirectory()) return true;
    return anchor !== undefined && !readFileSync(file, 'utf8').includes(` id="${anchor}"`);
  });
  expect(links.length).toBeGreaterThan(1000);
  expect(broken).toEqual([]);
});

test('no page of the site loads anything from another origin', () => {
  const loaded = pagesOfSite().flatMap((page) =>
    [
      ...readFileSync(join(site, page), 'utf8').matchAll(
        /<(?:script|link|img|iframe)\b[^>]*(?:src|href)="([^"]*)"/g,
      ),
    ].map(([, address = '']) => address),
  );
  expect(loaded.length).toBeGreaterThan(100);
  expect(loaded.filter((address) => /^(https?:)?\/\//.test(address))).toEqual([]);
});

test('every result of the search leads to a heading that exists', () => {
  const script = readFileSync(join(site, 'search-index.js'), 'utf8');
  const entries = JSON.parse(script.slice(script.indexOf('['), -2)) as readonly { url: string }[];
  const broken = entries.filter(({ url }) => {
    const [file = '', id = ''] = url.split('#');
    return !readFileSync(join(site, file), 'utf8').includes(` id="${id}"`);
  });
  expect(entries.length).toBeGreaterThan(200);
  expect(broken).toEqual([]);
});

test('headings have the names that GitHub gives them, so that links work in both places', () => {
  const page = readFileSync(join(site, 'guide/protection.html'), 'utf8');
  expect(page).toContain(
    '<h2 id="level-process-read-write-forge">Level <code>process</code>: read, write, forge</h2>',
  );
  expect(readFileSync(join(site, 'reference/graders.html'), 'utf8')).toContain('<h2 id="llm_judge">');
});

test('a link to a missing page or heading is reported with its page', async () => {
  const { deadLinks, linksTo } = (await import(pathToFileURL(join(root, 'scripts/docs/links.mjs')).href)) as {
    linksTo: (pages: readonly object[]) => object;
    deadLinks: (pages: readonly object[], links: object) => readonly string[];
  };
  const pages = [
    { file: 'docs/a.md', url: 'a.html', ids: ['top'], links: ['b.md#top', 'b.md#gone', 'c.md', '#top'] },
    { file: 'docs/b.md', url: 'b.html', ids: ['top'], links: ['../docs/a.md', 'https://example.com/'] },
  ];
  expect(deadLinks(pages, linksTo(pages))).toEqual([
    'docs/a.md: dead link b.md#gone',
    'docs/a.md: dead link c.md',
  ]);
});
