/** A file of test cases, as an import takes it. */
export interface CaseFile {
  readonly type: 'application/json' | 'application/jsonl' | 'application/yaml';
  readonly text: string;
}

/** A file of a format that is not read. */
export class FormatError extends Error {}

/** The name says what it is; without a known ending it is taken for JSON. Throws `FormatError`. */
export async function caseFileOf(file: Pick<File, 'name' | 'text'>): Promise<CaseFile> {
  const name = file.name.toLowerCase();
  const [other] = OTHERS.exec(name) ?? [];
  if (other !== undefined) {
    throw new FormatError(`${other} files are not read: save the test cases as JSON, JSONL or YAML`);
  }
  const type = /\.(?:jsonl|ndjson)$/.test(name)
    ? 'application/jsonl'
    : /\.ya?ml$/.test(name)
      ? 'application/yaml'
      : 'application/json';
  return { type, text: await file.text() };
}

const OTHERS = /\.(?:csv|tsv|txt|md|xlsx?|ods|zip|gz)$/;
