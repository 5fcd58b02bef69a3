import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { inRoot } from '../lib/paths.mjs';
import { escaped } from './html.mjs';

/** Each file of the examples as a page, and each folder without a README as a list. */
export function examplePages() {
  return ['examples/quickstart', 'examples/test-cases'].flatMap(pagesIn);
}

function pagesIn(folder) {
  const entries = readdirSync(inRoot(folder), { withFileTypes: true })
    .filter(({ name }) => !name.startsWith('.') && name !== 'node_modules')
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const hasReadme = entries.some(({ name }) => name === 'README.md');
  const below = entries.flatMap((entry) => {
    const file = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return pagesIn(file);
    return entry.name.endsWith('.md') && entry.name === 'README.md' ? [] : [filePage(file)];
  });
  return hasReadme ? below : [listPage(folder, entries), ...below];
}

function filePage(file) {
  const text = readFileSync(inRoot(file), 'utf8');
  const html = `<h1>${escaped(file)}</h1>\n<figure class="code"><pre tabindex="0"><code>${escaped(text)}</code></pre></figure>`;
  return page(file, `${file}.html`, html);
}

function listPage(folder, entries) {
  const items = entries.map((entry) => {
    const href = entry.isDirectory() ? `${entry.name}/index.html` : `${entry.name}.html`;
    return `<li><a href="${escaped(href)}">${escaped(entry.name)}</a></li>`;
  });
  const html = `<h1>${escaped(folder)}</h1>\n<ul>${items.join('\n')}</ul>`;
  return page(folder, posix.join(folder, 'index.html'), html);
}

function page(file, url, html) {
  return { file, url, title: file, html, ids: [], links: [], headings: [], sections: [] };
}
