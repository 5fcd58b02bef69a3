import type { Row } from '../../core/run.ts';
import { statusText } from '../../reading/outcomes.ts';
import { caseText, durationText, scoredText } from '../../reading/phrases.ts';
import { signs, type Palette } from '../../sinks/terminal/palette.ts';
import { placeText } from '../../sinks/terminal/progress.ts';
import { clean } from '../../sinks/terminal/text.ts';

/** A trial in one line: sign, status, case, target, and its result or error. */
export function trialLine(row: Row, palette: Palette): string {
  const status = palette.status[row.status](`${signs[row.status]} ${statusText(row)}`);
  return `${status}  ${clean(caseText(row), 120)}  ${palette.faint(placeText(row))}  ${measuredText(row)}`;
}

function measuredText(row: Row): string {
  if (row.skipped !== undefined)
    return [row.skipped, ...(row.notes ?? [])].map((text) => clean(text, 200)).join(': ');
  const outcome = row.error === undefined ? scoredText(row) : `${row.error.kind} (${row.error.stage})`;
  return [outcome, durationText(row.durationMs), ...(row.cached === undefined ? [] : ['cached'])].join(', ');
}
