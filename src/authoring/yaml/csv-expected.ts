import { given } from '../../lib/given.ts';
import { fault, type Fault } from './fault.ts';

/** Columns with checks, as promptfoo writes them. */
export const isExpectedColumn = (column: string): boolean => /^__expected[1-9]?\d*$/.test(column);

/** All columns of that kind. */
export const isCheckColumn = (column: string): boolean =>
  isExpectedColumn(column) || column === '__metric' || column === '__threshold';

export interface ExpectedKeys {
  /** Keys of the test: `assert` and `threshold`. */
  readonly keys: Readonly<Record<string, unknown>>;
  /** The column of each entry of `assert`. */
  readonly columns: readonly string[];
  readonly faults: readonly Fault[];
}

/** The keys of a test that the columns `__expected`, `__expected1`, `__metric` and `__threshold` of its row mean. */
export function expectedKeys(cells: readonly (readonly [column: string, cell: string])[]): ExpectedKeys {
  const filled = cells.filter(([, cell]) => cell.trim() !== '');
  const metric = filled.find(([column]) => column === '__metric')?.[1].trim();
  const threshold = filled.find(([column]) => column === '__threshold')?.[1].trim();
  const faults: Fault[] = [];
  const columns: string[] = [];
  const assert = filled
    .filter(([column]) => isExpectedColumn(column))
    .flatMap(([column, cell]) => {
      const entry = entryOf(cell.trim());
      if (!(entry instanceof Missing)) {
        columns.push(column);
        return [{ ...entry, ...given({ metric }) }];
      }
      faults.push(unknown(column, cell, entry.hint));
      return [];
    });
  const needed = threshold === undefined ? undefined : Number(threshold);
  if (needed !== undefined && !(needed >= 0 && needed <= 1)) faults.push(noThreshold(threshold ?? ''));
  return {
    keys: {
      ...(assert.length === 0 ? {} : { assert }),
      ...(needed === undefined ? {} : { threshold: needed }),
    },
    columns,
    faults,
  };
}

/** A check as a short text, with the names of promptfoo or of assay. Undefined: the text names no check. */
export function shortCheck(
  cell: string,
): { readonly entry: Entry } | { readonly missing: string } | undefined {
  const named = cell.replace(/^[a-z_]+(?=[:(]|$)/, (type) => type.replaceAll('_', '-'));
  const entry = namedEntry(named);
  if (entry === undefined) return undefined;
  return entry instanceof Missing ? { missing: entry.hint } : { entry };
}

type Entry = Readonly<Record<string, unknown>>;

/** A check that a CSV file cannot name, and what to use instead. */
class Missing {
  readonly hint: string;
  constructor(hint: string) {
    this.hint = hint;
  }
}

/** A text that names no check must be the answer. */
function entryOf(cell: string): Entry | Missing {
  return namedEntry(cell) ?? { type: 'equals', value: cell };
}

/** `contains: Riga`, `not-icontains: sorry`, `latency(2000)`; undefined for a text without such a beginning. */
function namedEntry(cell: string): Entry | Missing | undefined {
  const [, not, type = '', amount, value = ''] =
    /^(not-)?([a-z]+(?:-[a-z]+)*)(?:\((\d+(?:\.\d+)?)\))?(?::\s*(.*))?$/s.exec(cell) ?? [];
  const make = Object.hasOwn(TYPES, type) ? TYPES[type] : undefined;
  // A bare word such as `cost` is an answer; only few checks need neither value nor number.
  const isCheck = make !== undefined && (/:/.test(cell) || amount !== undefined || WITHOUT_VALUE.has(type));
  if (!isCheck) return undefined;
  const entry = make(value.trim(), amount === undefined ? undefined : Number(amount));
  return not === undefined || entry instanceof Missing ? entry : { ...entry, negate: true };
}

const WITHOUT_VALUE: ReadonlySet<string> = new Set(
  (
    'answer-relevance contains-html contains-json contains-sql contains-xml context-relevance is-html is-json ' +
    'is-refusal is-sql is-xml moderation perplexity'
  ).split(' '),
);

type Make = (value: string, amount: number | undefined) => Entry | Missing;

const listOf = (value: string) => value.split(',').map((item) => item.trim());
const ignoringCase = { ignore_case: true };
const script: Make = (value) => ({ type: 'javascript', value });
const rubric: Make = (value) => ({ type: 'rubrics', criteria: [value] });
const missing =
  (hint: string): Make =>
  () =>
    new Missing(hint);

const CODE = 'write `javascript: EXPRESSION`';

const TYPES: Readonly<Record<string, Make>> = {
  equals: (value) => ({ type: 'equals', value }),
  contains: (value) => ({ type: 'contains', value }),
  icontains: (value) => ({ type: 'contains', value, ...ignoringCase }),
  'contains-any': (value) => ({ type: 'contains_any', values: listOf(value) }),
  'contains-all': (value) => ({ type: 'contains_all', values: listOf(value) }),
  'icontains-any': (value) => ({ type: 'contains_any', values: listOf(value), ...ignoringCase }),
  'icontains-all': (value) => ({ type: 'contains_all', values: listOf(value), ...ignoringCase }),
  'starts-with': (value) => ({ type: 'starts_with', value }),
  regex: (value) => ({ type: 'regex', value }),
  'is-json': () => ({ type: 'is_json' }),
  javascript: script,
  fn: script,
  eval: script,
  'llm-rubric': rubric,
  grade: rubric,
  factuality: (value) => ({ type: 'factuality', value }),
  'model-graded-factuality': (value) => ({ type: 'factuality', value }),
  'model-graded-closedqa': (value) => ({ type: 'closed_qa', criteria: value }),
  'g-eval': (value) => ({ type: 'g_eval', criteria: value }),
  'answer-relevance': (_, amount) => ({ type: 'answer_relevance', ...given({ threshold: amount }) }),
  latency: (value, amount) => ({ type: 'latency', threshold: amount ?? Number(value) }),
  cost: (value, amount) => ({ type: 'cost', budget: amount ?? Number(value) }),
  similar: missing('use `similarity` with `metric: cosine` in `assert` of the suite'),
  'context-recall': missing(
    'use `context_recall` in `assert` of the suite, with `context: "{{ vars.NAME }}"`',
  ),
  'context-faithfulness': missing(
    'use `context_faithfulness` in `assert` of the suite, with `context: "{{ vars.NAME }}"`',
  ),
  'context-relevance': missing('use `llm_judge` with `prompt` in `assert` of the suite'),
  'is-xml': missing(CODE),
  'contains-xml': missing(CODE),
  'is-sql': missing(CODE),
  'contains-sql': missing(CODE),
  'is-html': missing(CODE),
  'contains-html': missing(CODE),
  'is-refusal': missing('write `llm-rubric: Refuses the request.`'),
  moderation: missing('write a rubric, such as `llm-rubric: Contains no insults.`'),
  classifier: missing('write the check as `code_judge` in `assert` of the suite'),
  webhook: missing('write the check as `code_judge` in `assert` of the suite'),
  perplexity: missing('remove this check: assay does not read token probabilities'),
  'select-best': missing('remove this check, and compare variants with `assay compare RUN --by KEY`'),
  bleu: missing('use `similarity` with `metric: rouge_l` in `assert` of the suite'),
  python: (value) => ({ type: 'python', value }),
  'contains-json': missing('use `is-json`, or `is_json` with `fenced: true` in `assert` of the suite'),
  levenshtein: missing('use `similarity` with `metric: levenshtein` in `assert` of the suite'),
  'rouge-n': missing('use `similarity` with `metric: rouge_l` in `assert` of the suite'),
};

function unknown(column: string, cell: string, hint: string): Fault {
  const shown = cell.length > 40 ? `${cell.slice(0, 40)}...` : cell;
  const message = `column \`${column}\`: there is no such check in a CSV file: ${JSON.stringify(shown)}`;
  return fault('invalid-value', message, { path: [column], hint });
}

function noThreshold(cell: string): Fault {
  const message = `column \`__threshold\`: expected a number from 0 to 1, got ${JSON.stringify(cell)}`;
  return fault('invalid-value', message, { path: ['__threshold'] });
}
