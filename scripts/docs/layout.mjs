import { posix } from 'node:path';
import { escaped } from './html.mjs';

const GROUPS = ['Start', 'Guide', 'Reference', 'Project'];

/** The whole HTML of a page: header with the search, menu, content, the next page. */
export function layout(page, pages) {
  const near = (url) => posix.relative(posix.dirname(page.url), url);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(page.url === 'index.html' ? 'assay: tests for AI agents' : `${page.title} · assay`)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${near('site.css')}">
<script src="${near('search-index.js')}" defer></script>
<script src="${near('search.js')}" defer></script>
</head>
<body data-root="${near('.') || '.'}">
<a class="skip" href="#content">Skip to the content</a>
<header>
<a class="home" href="${near('index.html')}">assay</a>
<form role="search" hidden>
<label for="search">Search the docs</label>
<input id="search" type="search" autocomplete="off" aria-controls="found">
</form>
</header>
<section id="found" aria-label="Search results" hidden><p role="status"></p><ol></ol></section>
<div class="columns">
<nav aria-label="Pages"><details open><summary>All pages</summary>
${menu(page, pages, near)}
</details></nav>
<main id="content" tabindex="-1">
${page.html}
${next(page, pages, near)}
</main>
</div>
</body>
</html>
`;
}

function menu(page, pages, near) {
  return GROUPS.map((group) => {
    const items = pages.filter((each) => each.group === group).map((each) => item(each, page, near));
    return `<h2>${group}</h2>\n<ul>\n${items.join('\n')}\n</ul>`;
  }).join('\n');
}

function item(each, page, near) {
  const name = escaped(nameOf(each));
  if (each.url !== page.url) return `<li><a href="${near(each.url)}">${name}</a></li>`;
  const inner = each.headings
    .filter(({ depth }) => depth === 2)
    .map(({ id, text }) => `<li><a href="#${id}">${escaped(text)}</a></li>`);
  const list = inner.length === 0 ? '' : `\n<ul>${inner.join('\n')}</ul>`;
  return `<li><a href="${near(each.url)}" aria-current="page">${name}</a>${list}</li>`;
}

const nameOf = ({ url, title }) => (url === 'index.html' ? 'What assay is' : title);

/** The guide is read in order: each page ends with the next one. */
function next(page, pages, near) {
  const inOrder = pages.filter(({ group }) => group === 'Start' || group === 'Guide');
  const following = inOrder[inOrder.findIndex(({ url }) => url === page.url) + 1];
  if (page.group !== 'Start' && page.group !== 'Guide') return '';
  if (following === undefined) return '';
  return `<p class="next">Next: <a href="${near(following.url)}">${escaped(nameOf(following))}</a></p>`;
}
