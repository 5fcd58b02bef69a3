export interface PersonsVerdict {
  readonly passed: boolean;
  readonly note?: string;
}

/** Reads `y`, `n`, `skip` or `quit`, with an optional note after yes and no; undefined for other lines. */
export function readVerdict(line: string): PersonsVerdict | 'skip' | 'quit' | undefined {
  const [, word = '', note = ''] = /^\s*(\S+)\s*(.*?)\s*$/s.exec(line) ?? [];
  switch (word.toLowerCase()) {
    case 'y':
    case 'yes':
      return { passed: true, ...(note === '' ? {} : { note }) };
    case 'n':
    case 'no':
      return { passed: false, ...(note === '' ? {} : { note }) };
    case 's':
    case 'skip':
      return 'skip';
    case 'q':
    case 'quit':
      return 'quit';
    default:
      return undefined;
  }
}
