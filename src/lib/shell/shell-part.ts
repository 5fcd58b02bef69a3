/** A word of a command, without quotes and escapes. */
export interface ShellWord {
  readonly text: string;
  /** Whether any part of it was quoted or escaped, so that it is not a keyword. */
  readonly quoted: boolean;
  /** Length of its unquoted beginning. */
  readonly bareLength: number;
  /** The shell would expand it: it has an unquoted variable, substitution, pattern or list. */
  readonly varies: boolean;
}

/** One simple command, without redirections and comments. */
export interface ShellPart {
  readonly words: readonly ShellWord[];
  /** Files used as its input (`< file`). */
  readonly inputs: readonly ShellWord[];
  /** The subshells `( ... )` around it, outermost first; each has its own number. */
  readonly subshells: readonly number[];
  /** Contents of its `$(...)` and backticks; in the words they stay unparsed. */
  readonly substitutions: readonly string[];
  /** A quote or bracket was never closed. */
  readonly incomplete: boolean;
}
