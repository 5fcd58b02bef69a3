import { readdirSync, readFileSync } from 'node:fs';

const root = new URL('../../', import.meta.url);

/** A fenced block of a page. */
export interface Block {
  /** Path of the page from the root of the repository. */
  readonly page: string;
  /** Where its text begins. */
  readonly line: number;
  readonly language: string;
  /** Words after the language: `eval`, `config`, `exit=1`, `in=my-project`, `file=` where its text stands before the commands of the page are run. */
  readonly words: readonly string[];
  readonly text: string;
}

/** README.md and the pages of the guide. */
export const PAGES: readonly string[] = [
  'README.md',
  ...readdirSync(new URL('docs/guide/', root))
    .sort()
    .map((name) => `docs/guide/${name}`),
];

export function textOfPage(page: string): string {
  return readFileSync(new URL(page, root), 'utf8');
}

export function blocksOf(page: string): readonly Block[] {
  const text = textOfPage(page);
  return [...text.matchAll(/^```(\S*)[ \t]*(.*)\n([\s\S]*?)^```$/gm)].map((match) => {
    const [, language = '', words = '', content = ''] = match;
    const line = text.slice(0, match.index).split('\n').length + 1;
    return { page, line, language, words: words.split(' ').filter((word) => word !== ''), text: content };
  });
}

/** `exit` in the words `exit=1`. */
export function wordOf({ words }: Block, name: string): string | undefined {
  return words.find((word) => word.startsWith(`${name}=`))?.slice(name.length + 1);
}
