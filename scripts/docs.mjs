// Builds the static site of the docs from README.md, docs/ and examples/. It needs no server: open site/index.html.
//   node scripts/docs.mjs [--out FOLDER]     default: site
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { examplePages } from './docs/example-pages.mjs';
import { layout } from './docs/layout.mjs';
import { deadLinks, linksTo } from './docs/links.mjs';
import { readPage } from './docs/markdown.mjs';
import { folderPages, markdownFiles } from './docs/pages.mjs';
import { searchIndex } from './docs/search-index.mjs';
import { inRoot } from './lib/paths.mjs';

const { values } = parseArgs({ options: { out: { type: 'string', default: inRoot('site') } } });
const out = resolve(values.out);

const others = [...folderPages(), ...examplePages()];
const links = linksTo([...markdownFiles(), ...others]);
const pages = [...markdownFiles().map((file) => readPage(file, links)), ...others];
const dead = deadLinks(pages, links);

if (dead.length > 0) {
  console.error(dead.join('\n'));
  process.exitCode = 1;
} else {
  rmSync(out, { recursive: true, force: true });
  for (const page of pages) write(page.url, layout(page, pages));
  write('search-index.js', searchIndex(pages));
  for (const name of ['site.css', 'search.js']) copyFileSync(inRoot('scripts/docs', name), join(out, name));
  console.log(`wrote ${pages.length} pages to ${out}: open ${join(out, 'index.html')}`);
}

function write(name, text) {
  const file = join(out, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
