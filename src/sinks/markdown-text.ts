import { oneLine, stripControls } from '../lib/text/terminal-text.ts';

/** Escapes text for one line of Markdown: no markup, links, mentions or references. */
export function text(value: string, length: number): string {
  return oneLine(value, length)
    .replace(/[\\`*_[\]|~]/g, String.raw`\$&`)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('://', String.raw`\://`)
    .replaceAll('www.', String.raw`www\.`)
    .replace(/@|#(?=\d)/g, '$&&#8203;');
}

/** Text in a fence that is longer than any fence inside it. */
export function fenced(value: string): string {
  const shown = stripControls(value.slice(0, 20_000)).slice(0, 2000).trim();
  const longest = Math.max(2, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}text\n${shown}${value.length > 2000 ? '…' : ''}\n${fence}`;
}
