import { given } from '../../lib/given.ts';
import { RefusedCheck, type CheckEntry } from '../yaml/short-check.ts';

/** A check of a part of the answer: `transform` is an expression over `output` that selects the part. */
export function inTransform(transform: string, entry: CheckEntry | RefusedCheck): CheckEntry | RefusedCheck {
  if (/^output(?:\.trim\(\))?;?$/.test(transform.trim())) return entry;
  if (entry instanceof RefusedCheck || READS_NO_ANSWER.has(String(entry['type']))) return entry;
  const expression = expressionOf(entry);
  if (transform.startsWith('file://') || /\breturn\b/.test(transform) || expression === undefined)
    return new RefusedCheck(
      '`transform` is not imported: select the part of the answer in a `javascript` check',
    );
  const { negate, threshold } = entry;
  const value = `((output) => ${expression})(${transform.trim().replace(/;$/, '')})`;
  return { type: 'javascript', value, ...given({ threshold, negate }) };
}

const READS_NO_ANSWER: ReadonlySet<string> = new Set(['latency', 'cost']);

function expressionOf({ type, value, ignore_case: ignoresCase }: CheckEntry): string | undefined {
  if (type === 'javascript' && typeof value === 'string' && !/\breturn\b|^file:/.test(value))
    return `(${value})`;
  if (type === 'equals')
    return typeof value === 'string' ? `String(output) === ${JSON.stringify(value)}` : undefined;
  const word = ignoresCase === true ? String(value).toLowerCase() : value;
  const text = ignoresCase === true ? 'String(output).toLowerCase()' : 'String(output)';
  if (type === 'contains') return `${text}.includes(${JSON.stringify(word)})`;
  if (type === 'starts_with') return `${text}.startsWith(${JSON.stringify(word)})`;
  return undefined;
}
