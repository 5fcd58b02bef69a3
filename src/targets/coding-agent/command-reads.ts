import { resolve } from 'node:path';

export interface ReadPlace {
  /** Absolute. */
  readonly directory: string;
  /** What `~` stands for; absolute. */
  readonly home: string;
}

/** Tells the files that a command text reads, absolute, in order. */
export type CommandReads = (text: string, place: ReadPlace) => readonly string[];

/** Only of `cat` and plain words; a command that needs a shell to be understood reads nothing. */
export const commandReads: CommandReads = (text, { directory }) => {
  const [program, ...words] = text.split(' ');
  const isPlain =
    program === 'cat' && words.every((word) => /^[\w./-]+$/.test(word) && !word.startsWith('-'));
  return isPlain ? words.map((word) => resolve(directory, word)) : [];
};
