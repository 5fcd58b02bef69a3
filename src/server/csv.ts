import type { TrialResource } from '../api/resources/trial.ts';

const COLUMNS = [
  'number',
  'key',
  'suite',
  'case_id',
  'target',
  'repetition',
  'attempts',
  'verdict',
  'status',
  'score',
  'threshold',
  'fallen_gates',
  'failure_class',
  'stage',
  'kind',
  'reason',
  'flags',
  'tags',
  'difficulty',
  'turns',
  'duration_ms',
  'cost_usd',
  'started_at',
  'ended_at',
] as const satisfies readonly (keyof TrialResource)[];

/** The first line of a table of trials (RFC 4180). */
export const csvHead = lineOf(COLUMNS);

/** A trial as a line of it. */
export function csvLine(trial: TrialResource): string {
  return lineOf(COLUMNS.map((column) => trial[column]));
}

type Cell = string | number | null | readonly string[];

function lineOf(cells: readonly Cell[]): string {
  return `${cells.map(cellOf).join(',')}\r\n`;
}

function cellOf(value: Cell): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = inert(typeof value === 'string' ? value : value.join('; '));
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Spreadsheets interpret texts with these first characters as formulas. */
function inert(text: string): string {
  return /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}
