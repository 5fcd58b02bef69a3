import { readFileSync } from 'node:fs';
import { Marked } from 'marked';
import { inRoot } from '../lib/paths.mjs';
import { escaped, textOf } from './html.mjs';

/** A page of the site from its Markdown: HTML, headings, links, and the text that the search looks through. */
export function readPage(entry, links) {
  const page = { ...entry, ids: [], links: [], headings: [], sections: [] };
  const marked = new Marked({ renderer: rendererOf(page, links) });
  const parts = [];
  for (const token of marked.lexer(readFileSync(inRoot(entry.file), 'utf8'))) {
    const html = marked.parser([token]);
    parts.push(html);
    if (token.type === 'heading') {
      page.headings.push({ depth: token.depth, id: page.ids.at(-1), text: textOf(html) });
      page.sections.push({ id: page.ids.at(-1), heading: textOf(html), text: '' });
    } else if (page.sections.length > 0 && token.type !== 'html') {
      page.sections.at(-1).text += `${textOf(html)} `;
    }
  }
  const title = page.headings.find(({ depth }) => depth === 1)?.text ?? entry.file;
  return { ...page, title, html: parts.join('') };
}

function rendererOf(page, links) {
  return {
    heading({ tokens, depth }) {
      const html = this.parser.parseInline(tokens);
      const id = slug(textOf(html), page.ids);
      page.ids.push(id);
      return `<h${depth} id="${id}">${html}</h${depth}>\n`;
    },
    link({ href, tokens }) {
      page.links.push(href);
      const found = links.find(page, href);
      return `<a href="${escaped(found?.href ?? href)}">${this.parser.parseInline(tokens)}</a>`;
    },
    code({ text, lang = '' }) {
      const file = /(?:^| )file=(\S+)/.exec(lang)?.[1];
      const caption = file === undefined ? '' : `<figcaption>${escaped(file)}</figcaption>`;
      return `<figure class="code">${caption}<pre tabindex="0"><code>${escaped(text)}</code></pre></figure>\n`;
    },
    table({ header, rows }) {
      const inline = ({ tokens }) => this.parser.parseInline(tokens);
      const names = header.map((cell) => `<th scope="col">${inline(cell)}</th>`).join('');
      const lines = rows.map((row) => `<tr>${row.map((cell) => `<td>${inline(cell)}</td>`).join('')}</tr>`);
      const name = escaped(header.map(({ text }) => text).join(', '));
      const table = `<table><thead><tr>${names}</tr></thead><tbody>${lines.join('\n')}</tbody></table>`;
      return `<div class="wide" role="group" aria-label="Table: ${name}" tabindex="0">${table}</div>\n`;
    },
  };
}

/** The name of a heading as GitHub gives it, so that links work in both places. */
function slug(text, taken) {
  const base = text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
  let id = base;
  for (let n = 1; taken.includes(id); n += 1) id = `${base}-${n}`;
  return id;
}
