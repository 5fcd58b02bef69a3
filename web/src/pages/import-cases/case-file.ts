/** A file of test cases, as an import takes it. */
export interface CaseFile {
  readonly type: 'application/json' | 'application/jsonl' | 'application/yaml';
  readonly text: string;
}

/** The name says what it is; without a known ending it is taken for JSON. */
export async function caseFileOf(file: Pick<File, 'name' | 'text'>): Promise<CaseFile> {
  const name = file.name.toLowerCase();
  const type = /\.(?:jsonl|ndjson)$/.test(name)
    ? 'application/jsonl'
    : /\.ya?ml$/.test(name)
      ? 'application/yaml'
      : 'application/json';
  return { type, text: await file.text() };
}
