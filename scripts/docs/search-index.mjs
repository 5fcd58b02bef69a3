/** The text of every section as a script: a page that was opened from a file may load scripts, and may not fetch. */
export function searchIndex(pages) {
  const entries = pages.flatMap(({ url, title, sections }) =>
    sections.map(({ id, heading, text }) => ({
      url: `${url}#${id}`,
      page: title,
      heading,
      text: text.trim(),
    })),
  );
  return `globalThis.searchIndex = ${JSON.stringify(entries)};\n`;
}
