/** A word of a command, quotes and escapes taken off. */
export interface ShellWord {
  readonly text: string;
  /** Whether any part of it was quoted or escaped: then it is no keyword. */
  readonly quoted: boolean;
  /** Length of its beginning that was not quoted. */
  readonly bareLength: number;
  /** The shell would make something else of it: a variable, a substitution, a pattern or a list in it is not quoted. */
  readonly varies: boolean;
}

/** One simple command, redirections and comments removed. */
export interface ShellPart {
  readonly words: readonly ShellWord[];
  /** Files that its input is taken from (`< file`). */
  readonly inputs: readonly ShellWord[];
  /** The subshells `( ... )` around it, outermost first; each has a number of its own. */
  readonly subshells: readonly number[];
  /** Contents of the `$(...)` and backticks in it, each an opaque piece of a word. */
  readonly substitutions: readonly string[];
  /** A quote or bracket was never closed. */
  readonly incomplete: boolean;
}
