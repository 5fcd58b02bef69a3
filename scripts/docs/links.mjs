import { posix } from 'node:path';

/** Finds the page that a link of a Markdown file means. */
export function linksTo(entries) {
  const urls = new Map(entries.map(({ file, url }) => [file.replace(/\/README\.md$/, ''), url]));
  for (const { file, url } of entries) urls.set(file, url);
  return {
    /** @returns the address relative to the page, or undefined if the file is not a page. */
    find(from, link) {
      if (isForeign(link)) return { href: link };
      const [path = '', anchor] = link.split('#');
      const file = path === '' ? from.file : posix.join(posix.dirname(from.file), path).replace(/\/$/, '');
      const url = urls.get(file);
      if (url === undefined) return undefined;
      const near = path === '' ? '' : posix.relative(posix.dirname(from.url), url);
      return { href: anchor === undefined ? near : `${near}#${anchor}`, url, anchor };
    },
  };
}

/** Links without a page, and links to headings that their page does not have. */
export function deadLinks(pages, links) {
  const ids = new Map(pages.map((page) => [page.url, page.ids]));
  return pages.flatMap((page) =>
    page.links
      .filter((link) => {
        const found = links.find(page, link);
        if (found === undefined) return true;
        return found.anchor !== undefined && !ids.get(found.url).includes(found.anchor);
      })
      .map((link) => `${page.file}: dead link ${link}`),
  );
}

const isForeign = (link) => /^(https?|mailto):/.test(link);
