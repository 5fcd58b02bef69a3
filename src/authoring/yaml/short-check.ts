import { given } from '../../lib/given.ts';
import { isObject } from '../../lib/json.ts';
import { parseYaml } from './parse-yaml.ts';

export type CheckEntry = Readonly<Record<string, unknown>>;

/** A text that names a check which cannot be used, and what to do. */
export class RefusedCheck {
  readonly hint: string;
  /** `unknown`: assay has no such check in a short form. */
  readonly why: 'unknown' | 'invalid';
  constructor(hint: string, why: RefusedCheck['why'] = 'invalid') {
    this.hint = hint;
    this.why = why;
  }
}

/**
 * Reads a short check of promptfoo, such as `contains: Riga`, `not-icontains: sorry`, `latency(2000)` or
 * `file://check.js`. Undefined: the text names no check. `threshold` counts instead of the number in brackets.
 */
export function shortCheck(text: string, threshold?: number): CheckEntry | RefusedCheck | undefined {
  const file = fileCheck(text);
  if (file !== undefined) return file;
  const [, not, type = '', brackets, written] = SHORT.exec(text) ?? [];
  const form = FORMS[type];
  // A bare word such as `cost` is an answer; names with a hyphen are checks.
  const isNamed = written !== undefined || brackets !== undefined || type.includes('-');
  if (form === undefined || (!isNamed && form.value !== 'none')) return undefined;
  if (form.refused !== undefined) return new RefusedCheck(form.refused, 'unknown');
  const amount = amountIn(type, { brackets, threshold, value: written?.trim(), form });
  if (amount instanceof RefusedCheck) return amount;
  const entry = entryOf(type, form, { value: written?.trim() ?? '', amount });
  return not === undefined || entry instanceof RefusedCheck ? entry : { ...entry, negate: true };
}

/** `file://check.js` and `file://check.py` are checks, other files could only be expected answers. */
function fileCheck(text: string): CheckEntry | RefusedCheck | undefined {
  if (!/^file:\/\/\S+$/.test(text)) return undefined;
  if (/\.[cm]?[jt]s(?::\w+)?$/.test(text)) return { type: 'javascript', value: text };
  if (/\.py(?::\w+)?$/.test(text)) return { type: 'python', value: text };
  return new RefusedCheck('write the expected answer itself: the content of this file is not read');
}

interface Form {
  /** Whether a value follows the colon. `none`: it may be absent. */
  readonly value: 'text' | 'none';
  /**
   * What a number in brackets means: the lowest score that passes, a limit that must be there, or a number of edits.
   * Absent if the check takes no number.
   */
  readonly amount?: 'score' | 'limit' | 'edits';
  /** Whether the value may name a file. */
  readonly takesFile?: true;
  /** What to write instead, if there is no such short form. */
  readonly refused?: string;
  make(value: string, amount: number | undefined): CheckEntry | RefusedCheck;
}

interface Written {
  readonly value: string;
  readonly amount: number | undefined;
}

function entryOf(type: string, form: Form, { value, amount }: Written): CheckEntry | RefusedCheck {
  if (value === '' && form.value === 'text' && type !== 'equals' && form.amount !== 'limit')
    return new RefusedCheck(`write a value after the colon, such as \`${type}: TEXT\``);
  if (value.startsWith('file://') && form.takesFile !== true)
    return new RefusedCheck('write the text itself: the content of this file is not read');
  const entry = form.make(value, amount);
  if (entry instanceof RefusedCheck || form.amount !== 'score') return entry;
  return { ...entry, ...given({ threshold: amount }) };
}

interface Amount {
  readonly form: Form;
  /** The text between the brackets. */
  readonly brackets: string | undefined;
  readonly threshold: number | undefined;
  readonly value: string | undefined;
}

function amountIn(
  type: string,
  { form, brackets, threshold, value }: Amount,
): number | RefusedCheck | undefined {
  if (brackets !== undefined && !NUMBER.test(brackets))
    return new RefusedCheck(
      `write a number in the brackets, as in \`${type}(0.5)\`; for exactly this answer, write \`equals: \` before it`,
    );
  const limit = form.amount === 'limit' && value !== undefined && NUMBER.test(value) ? value : undefined;
  const amount = threshold ?? (brackets === undefined ? undefined : Number(brackets));
  if (amount !== undefined && form.amount === undefined)
    return new RefusedCheck(`remove the number: \`${type}\` has no threshold`);
  if (form.amount === 'limit' && amount === undefined)
    return limit === undefined
      ? new RefusedCheck(`write the limit in brackets, such as \`${type}(${EXAMPLES[type] ?? 1})\``)
      : Number(limit);
  if (form.amount === 'score' && amount !== undefined && amount > 1)
    return new RefusedCheck('write a number from 0 to 1: it is the lowest score that passes');
  return amount;
}

const NUMBER = /^\d+(?:\.\d+)?$/;
const EXAMPLES: Readonly<Record<string, number>> = { latency: 2000, cost: 0.01 };

const text = (make: (value: string) => CheckEntry): Form => ({ value: 'text', make });
const list = (type: string, more: CheckEntry = {}): Form =>
  text((value) => ({ type, values: value.split(',').map((item) => item.trim()), ...more }));
const scored = (make: (value: string) => CheckEntry): Form => ({ value: 'text', amount: 'score', make });
const code = (type: string): Form => ({ ...scored((value) => ({ type, value })), takesFile: true });
const limit = (make: (amount: number | undefined) => CheckEntry): Form => ({
  value: 'text',
  amount: 'limit',
  make: (_, amount) => make(amount),
});
const refused = (hint: string, value: Form['value'] = 'text'): Form => ({
  value,
  refused: hint,
  make: () => new RefusedCheck(hint, 'unknown'),
});
const inSuite = (what: string): Form => refused(`use ${what} in \`assert\` of the suite`, 'none');

/** A JSON Schema as JSON or YAML, or the path of one. */
function schemaIn(value: string): CheckEntry | RefusedCheck {
  if (value === '') return { type: 'is_json' };
  if (value.startsWith('file://')) return { type: 'is_json', schema: value.slice('file://'.length) };
  const parsed = parseYaml(value, 'no-aliases');
  if (!('failure' in parsed) && isObject(parsed.value)) return { type: 'is_json', schema: parsed.value };
  return new RefusedCheck('write a JSON Schema after the colon, or `file://` and the path of one');
}

function fencedJson(value: string): CheckEntry | RefusedCheck {
  const entry = schemaIn(value);
  return entry instanceof RefusedCheck ? entry : { ...entry, fenced: true };
}

const alike = (more: CheckEntry): Form =>
  scored((value) => ({ type: 'similarity', ...more, value, threshold: 0.75 }));

const ignoringCase = { ignore_case: true };
const rubric = scored((value) => ({ type: 'rubrics', criteria: [value] }));
const BY_CODE = refused('write `javascript: EXPRESSION`', 'none');
const IN_CODE_JUDGE = inSuite('`code_judge`');
const ROUGE = inSuite('`similarity` with `metric: rouge_l`');
const SIMILAR = inSuite('`similarity` with `metric: cosine`');
const NO_PROBABILITIES = refused('remove this check: assay does not read token probabilities', 'none');
const COMPARED = refused(
  'remove this check, and compare prompts with `assay compare RUN --by prompt`',
  'none',
);
const IN_SUITE_JUDGE = inSuite('`llm_judge` with `prompt`');

const FORMS: Readonly<Record<string, Form>> = {
  equals: text((value) => ({ type: 'equals', value })),
  contains: text((value) => ({ type: 'contains', value })),
  icontains: text((value) => ({ type: 'contains', value, ...ignoringCase })),
  'contains-any': list('contains_any'),
  'contains-all': list('contains_all'),
  'icontains-any': list('contains_any', ignoringCase),
  'icontains-all': list('contains_all', ignoringCase),
  'starts-with': text((value) => ({ type: 'starts_with', value })),
  'ends-with': text((value) => ({ type: 'ends_with', value })),
  regex: text((value) => ({ type: 'regex', value })),
  'is-json': { value: 'none', takesFile: true, make: schemaIn },
  javascript: code('javascript'),
  fn: code('javascript'),
  eval: code('javascript'),
  python: code('python'),
  'llm-rubric': rubric,
  grade: rubric,
  factuality: scored((value) => ({ type: 'factuality', value })),
  'model-graded-factuality': scored((value) => ({ type: 'factuality', value })),
  'model-graded-closedqa': scored((value) => ({ type: 'closed_qa', criteria: value })),
  'g-eval': scored((value) => ({ type: 'g_eval', criteria: value })),
  'answer-relevance': { value: 'none', amount: 'score', make: () => ({ type: 'answer_relevance' }) },
  latency: limit((amount) => ({ type: 'latency', threshold: amount })),
  cost: limit((amount) => ({ type: 'cost', budget: amount })),
  similar: alike({ metric: 'cosine', model: 'openai/text-embedding-3-large' }),
  'similar:cosine': alike({ metric: 'cosine', model: 'openai/text-embedding-3-large' }),
  'similar:dot': SIMILAR,
  'similar:euclidean': SIMILAR,
  'context-recall': inSuite('`context_recall` with `context: "{{ vars.NAME }}"`'),
  'context-faithfulness': inSuite('`context_faithfulness` with `context: "{{ vars.NAME }}"`'),
  'context-relevance': IN_SUITE_JUDGE,
  'conversation-relevance': IN_SUITE_JUDGE,
  'search-rubric': IN_SUITE_JUDGE,
  'agent-rubric': inSuite('`agent_judge` with `prompt`'),
  pi: { ...IN_SUITE_JUDGE, value: 'text' },
  'contains-json': {
    value: 'none',
    takesFile: true,
    make: fencedJson,
  },
  'is-xml': BY_CODE,
  'contains-xml': BY_CODE,
  'is-sql': BY_CODE,
  'contains-sql': BY_CODE,
  'is-html': BY_CODE,
  'contains-html': BY_CODE,
  'word-count': BY_CODE,
  'is-valid-function-call': BY_CODE,
  'is-valid-openai-function-call': BY_CODE,
  'is-valid-openai-tools-call': BY_CODE,
  'finish-reason': BY_CODE,
  'is-refusal': refused('write `llm-rubric: Refuses the request.`', 'none'),
  moderation: refused('write a rubric, such as `llm-rubric: Contains no insults.`', 'none'),
  guardrails: refused('write a rubric, such as `llm-rubric: Contains no insults.`', 'none'),
  human: refused('remove this check, and label answers with `assay label RUN`'),
  classifier: { ...IN_CODE_JUDGE, value: 'text' },
  webhook: { ...IN_CODE_JUDGE, value: 'text' },
  ruby: { ...IN_CODE_JUDGE, value: 'text' },
  'trace-span-count': IN_CODE_JUDGE,
  'trace-span-duration': IN_CODE_JUDGE,
  'trace-error-spans': IN_CODE_JUDGE,
  perplexity: NO_PROBABILITIES,
  'perplexity-score': NO_PROBABILITIES,
  'select-best': COMPARED,
  'max-score': COMPARED,
  bleu: { ...ROUGE, value: 'text' },
  gleu: { ...ROUGE, value: 'text' },
  meteor: { ...ROUGE, value: 'text' },
  'rouge-n': alike({ metric: 'rouge_l' }),
  'rouge-l': alike({ metric: 'rouge_l' }),
  'rouge-s': ROUGE,
  levenshtein: {
    value: 'text',
    amount: 'edits',
    make: (value, edits = 5) => ({
      type: 'similarity',
      metric: 'levenshtein',
      value,
      max_edits: Math.floor(edits),
    }),
  },
  'tool-call-f1': inSuite('`tool_trajectory` with `mode: any_order`'),
  'trajectory:tool-used': inSuite('`tool_calls` with `called`'),
  'trajectory:tool-sequence': inSuite('`tool_trajectory` with `mode: in_order`'),
  'trajectory:tool-args-match': inSuite('`tool_trajectory` with `args_match`'),
  'trajectory:step-count': inSuite('`execution_metrics` with `max_steps`'),
  'trajectory:goal-success': IN_SUITE_JUDGE,
  'skill-used': inSuite('`skills` with `used`'),
  'assert-set': inSuite('`composite`'),
};

/** Longer names first: `contains-any` begins with `contains`. */
const NAMES = Object.keys(FORMS).toSorted((a, b) => b.length - a.length);
const SHORT = new RegExp(`^(not-)?(${NAMES.join('|')})(?:\\(([^()]*)\\))?(?::(.*))?$`, 's');
