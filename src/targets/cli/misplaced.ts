/** A value of a trial in a place where a shell or interpreter could run it as code. */
export interface Misplaced {
  /** Index of the argument; absent when the command is a text. */
  readonly argument?: number;
  readonly message: string;
}

/** The place of an argument, in words. */
export function codeOf(reader: string): string {
  return `an argument that \`${reader}\` runs as code`;
}

/** The place of text that a program gets as its input, in words. */
export function whereRun(reader: string): string {
  return `what \`${reader}\` reads and runs`;
}
