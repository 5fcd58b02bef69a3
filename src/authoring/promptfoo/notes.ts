import type { Path } from '../yaml/fault.ts';

/** A mapping of a promptfoo config, or of what becomes of it. */
export type Mapping = Readonly<Record<string, unknown>>;

/** Something of a promptfoo config that the import leaves out or changes. */
export interface ImportNote {
  /** Keys and positions from the top of the config. */
  readonly path: Path;
  readonly message: string;
  readonly hint?: string;
}

/** What the parts of the import share. */
export interface Importing {
  note(path: Path, message: string, hint?: string): void;
  /** The text of a file next to the config; undefined if it cannot be read. */
  readText(path: string): string | undefined;
  /** Files that match a path with `*`, sorted; the path itself without one. */
  filesOf(path: string): readonly string[];
  /** Adds a file to the new files, with a number in its name if that is taken. Its path, from their folder. */
  write(file: { readonly name: string; readonly extension: string }, text: string): string;
  /** A path of the config, from the folder of the new files. */
  moved(path: string): string;
}

/** Notes every key that nothing reads. */
export function noteOthers(
  value: Mapping,
  read: readonly string[],
  {
    path,
    importing,
    hints = {},
  }: { path: Path; importing: Importing; hints?: Readonly<Record<string, string>> },
): void {
  for (const key of Object.keys(value))
    if (!read.includes(key)) importing.note([...path, key], `\`${key}\` is not imported`, hints[key]);
}
