/** A kind of key that is recognised by its form. */
export interface Shape {
  /** The NAME in `[redacted:NAME]`. */
  readonly name: string;
  /** Source of a regular expression without capturing groups. */
  readonly source: string;
}

// Words such as `task-` and `disk-` contain `sk-`; escapes of JSON, URIs and terminals end in letters and digits. It
// looks back only after `sk-` was found: at every character it would cost fifty times as much.
const SK = String.raw`sk-(?<=(?:^|[^A-Za-z0-9]|\\[bfnrt]|\\u[0-9a-fA-F]{4}|%[0-9a-fA-F]{2}|\[[0-9;]{1,12}m)sk-)`;

/** Every character of such keys; a stream waits for the end of such a run. */
export const KEY_CHARACTER = /[A-Za-z0-9_.-]/;

/** The same for bytes, in UTF-8 or UTF-16. */
export const KEY_BYTE = /[A-Za-z0-9_.\0-]/;

/** How many characters before the key are examined. */
export const LOOK_BEHIND = 16;

/** Lengths are limited, so that hostile text takes linear time. */
export const SHAPES: readonly Shape[] = [
  { name: 'anthropic-key', source: `${SK}ant-[A-Za-z0-9_-]{16,512}` },
  { name: 'openai-key', source: `${SK}(?:proj|svcacct|admin)-[A-Za-z0-9_-]{16,512}` },
  {
    name: 'secret-key',
    source: `${SK}(?:[A-Za-z0-9_]{1,16}-){0,4}(?=[A-Za-z_]{0,64}[0-9])[A-Za-z0-9_]{16,}[A-Za-z0-9_-]{0,512}`,
  },
  { name: 'github-token', source: '(?:gh[opusr]_[A-Za-z0-9]{30,255}|github_pat_[A-Za-z0-9_]{22,255})' },
  { name: 'gitlab-token', source: 'glpat-[A-Za-z0-9_-]{20,64}' },
  { name: 'aws-access-key', source: 'A[KS]IA[A-Z0-9]{16}(?![A-Z0-9])' },
  { name: 'google-api-key', source: 'AIza[A-Za-z0-9_-]{35}' },
  { name: 'slack-token', source: 'xox[abeoprs]-[A-Za-z0-9-]{10,255}' },
  { name: 'stripe-key', source: '[rs]k_(?:live|test)_[A-Za-z0-9]{16,255}' },
  { name: 'npm-token', source: 'npm_[A-Za-z0-9]{36}' },
  { name: 'assay-token', source: 'assay_[A-Za-z0-9_-]{43}' },
  { name: 'hugging-face-token', source: 'hf_[A-Za-z0-9]{30,64}' },
];
