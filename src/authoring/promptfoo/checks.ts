import { isObject } from '../../lib/json.ts';
import { given } from '../../lib/given.ts';
import { passedCheck } from '../yaml/passed-check.ts';
import { RefusedCheck, shortCheck, type CheckEntry } from '../yaml/short-check.ts';
import type { Path } from '../yaml/fault.ts';
import { noteOthers, type Importing } from './notes.ts';
import { modelOf } from './providers.ts';
import { renamedIn } from './template-vars.ts';
import { inTransform } from './transforms.ts';

/** What a test says about all of its checks. */
export interface CheckOptions {
  /** An expression over `output`. */
  readonly transform?: string;
  /** The model that grades, as `provider/name`. */
  readonly judge?: string;
}

interface WrittenCheck {
  readonly type: string;
  readonly value: unknown;
  readonly threshold: number | undefined;
}

/** Evaluators for the checks of `assert`. What cannot be imported is noted. */
export function importChecks(
  written: unknown,
  options: CheckOptions,
  { path, importing }: { readonly path: Path; readonly importing: Importing },
): readonly CheckEntry[] {
  const list: readonly unknown[] = Array.isArray(written) ? written : [];
  return list.flatMap(
    (each, index): readonly CheckEntry[] | CheckEntry =>
      importedCheck(each, options, { path: [...path, index], importing }) ?? [],
  );
}

function importedCheck(
  each: unknown,
  options: CheckOptions,
  place: { readonly path: Path; readonly importing: Importing },
): CheckEntry | undefined {
  const { path, importing } = place;
  if (!isObject(each) || typeof each['type'] !== 'string') {
    importing.note(path, 'this check is not imported: it has no `type`');
    return undefined;
  }
  const { type, value, threshold, weight, metric, provider, transform, config, ...rest } = each;
  noteOthers(rest, ['assert', 'description'], { path, importing, hints: HINTS });
  if (type === 'assert-set') return checkSet(each, options, place);
  const check = {
    type: String(type),
    value: renamedIn(value, [...path, 'value'], importing),
    threshold: typeof threshold === 'number' ? threshold : undefined,
  };
  const found = typeof transform === 'string' ? transform : options.transform;
  const entry = found === undefined ? entryOf(check) : inTransform(found, entryOf(check));
  if (entry instanceof RefusedCheck) {
    importing.note(path, `the check \`${check.type}\` is not imported`, entry.hint);
    return undefined;
  }
  const judge = judgeOf(provider, place) ?? options.judge;
  const isGraded = MODEL_GRADED.has(String(entry['type']));
  const graded = {
    ...codeOf(entry, place),
    ...given({ config: isCode(entry) ? config : undefined }),
    ...given({ judge: isGraded && judge !== undefined ? { model: judge } : undefined }),
  };
  return passedCheck(graded, { weight, metric });
}

const HINTS = {
  rubricPrompt: 'use `llm_judge` with `prompt`',
  contextTransform: 'write the context into a variable, and name it in `context`',
};

export const MODEL_GRADED: ReadonlySet<string> = new Set([
  'rubrics',
  'llm_judge',
  'factuality',
  'answer_relevance',
  'context_recall',
  'context_faithfulness',
  'closed_qa',
  'g_eval',
]);

function entryOf({ type, value, threshold }: WrittenCheck): CheckEntry | RefusedCheck {
  const [, not, plain = type] = /^(not-)?(.+)$/.exec(type) ?? [];
  const entry = withValue({ type: plain, value, threshold });
  return not === undefined || entry instanceof RefusedCheck ? entry : { ...entry, negate: true };
}

function withValue({ type, value, threshold }: WrittenCheck): CheckEntry | RefusedCheck {
  if (type === 'contains-json') return { type: 'is_json', fenced: true, ...schemaOf(value) };
  if (type === 'is-json') return { type: 'is_json', ...schemaOf(value) };
  if (type === 'equals' && typeof value !== 'string') return { type: 'equals', value };
  if (LISTS.has(type) && Array.isArray(value)) {
    const name = type.replace(/^i/, '').replace('-', '_');
    return { type: name, values: value, ...(type.startsWith('i') ? { ignore_case: true } : {}) };
  }
  if (type === 'context-recall' || type === 'context-faithfulness')
    return {
      type: type.replace('-', '_'),
      ...(type === 'context-recall' && typeof value === 'string' ? { value } : {}),
      context: '{{ vars.context }}',
      ...given({ threshold }),
    };
  if (Array.isArray(value) && type === 'llm-rubric') return { type: 'rubrics', criteria: value };
  if (Array.isArray(value))
    return new RefusedCheck('write one check for each text, in a `composite` with `aggregator: any`');
  const text =
    value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value);
  return shortCheck(`${type}: ${text}`, threshold) ?? new RefusedCheck('see docs/guide/from-promptfoo.md');
}

const LISTS: ReadonlySet<string> = new Set([
  'contains-any',
  'contains-all',
  'icontains-any',
  'icontains-all',
]);

function schemaOf(value: unknown): CheckEntry {
  if (typeof value === 'string' && value.startsWith('file://'))
    return { schema: value.slice('file://'.length) };
  return isObject(value) ? { schema: value } : {};
}

function checkSet(
  { assert, threshold, weight, metric }: Readonly<Record<string, unknown>>,
  options: CheckOptions,
  { path, importing }: { readonly path: Path; readonly importing: Importing },
): CheckEntry {
  const members = importChecks(assert, options, { path: [...path, 'assert'], importing });
  const set: CheckEntry = {
    type: 'composite',
    aggregator: typeof threshold === 'number' ? 'weighted_average' : 'all',
    assert: members,
  };
  return passedCheck({ ...set, ...given({ threshold }) }, { weight, metric });
}

function judgeOf(
  provider: unknown,
  { path, importing }: { readonly path: Path; readonly importing: Importing },
): string | undefined {
  if (provider === undefined) return undefined;
  const model = gradingModel(provider);
  if (model === undefined)
    importing.note(
      [...path, 'provider'],
      'this grading model is not imported',
      'write it as `judge: { model: PROVIDER/NAME }`',
    );
  return model;
}

/** The model of `provider` in a check or in `options`, as `provider/name`. */
export function gradingModel(provider: unknown): string | undefined {
  if (typeof provider === 'string') return modelOf(provider);
  if (!isObject(provider)) return undefined;
  return gradingModel(provider['id'] ?? provider['text']);
}

function isCode(entry: CheckEntry): boolean {
  return entry['type'] === 'javascript' || entry['type'] === 'python';
}

/** Code with the path of its file, if it has one. */
function codeOf(
  entry: CheckEntry,
  { path, importing }: { readonly path: Path; readonly importing: Importing },
): CheckEntry {
  const { value } = entry;
  if (!isCode(entry) || typeof value !== 'string') return entry;
  if (value.startsWith('file://')) {
    const [file, name] = value.slice('file://'.length).split(/:(?=\w+$)/);
    if (name !== undefined)
      importing.note(
        [...path, 'value'],
        `\`:${name}\` is not imported`,
        `make the function the default export of ${file}`,
      );
    return { ...entry, value: `file://${importing.moved(file ?? '')}` };
  }
  const [, missing] = NOT_IN_CONTEXT.exec(value) ?? [];
  if (missing !== undefined)
    importing.note(
      [...path, 'value'],
      `this check reads \`context.${missing}\`, which assay does not have`,
      'use the names in docs/guide/writing-evals.md',
    );
  return entry;
}

/** What promptfoo knows of a call, in JavaScript and in Python. */
const NOT_IN_CONTEXT = /\bcontext(?:\??\.|\[['"]|\.get\(['"])(logProbs|provider|providerResponse|trace)\b/;
