import type { Block } from './blocks.ts';

/** Lines of output that pages show (blocks `text output`) and that were not printed. Times and spacing may differ. */
export function notPrinted(blocks: readonly Block[], printed: string): readonly string[] {
  const shown = blocks.filter(({ language, words }) => language === 'text' && words.includes('output'));
  const lines = shown.flatMap(({ text }) => withoutTimes(text).split('\n')).filter((line) => line !== '');
  const all = withoutTimes(printed);
  return lines.filter((line) => !all.includes(line));
}

function withoutTimes(text: string): string {
  return text
    .replaceAll(/[\d.]+ m?s\b/g, '#')
    .replaceAll(/[ \n]+ */g, (space) => (space.includes('\n') ? '\n' : ' '));
}
