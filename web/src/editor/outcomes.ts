import { isObject } from '../../../src/lib/json.ts';

/** Expected outcomes as a form holds them: one a line in plain words, or a JSON object. */
export function outcomesText(outcomes: unknown): string {
  if (outcomes === null) return '';
  const isPlain =
    isObject(outcomes) &&
    Object.entries(outcomes).every(([label, state]) => state === true && isPlainLine(label)) &&
    Object.keys(outcomes).length > 0;
  return isPlain ? Object.keys(outcomes).join('\n') : JSON.stringify(outcomes, null, 2);
}

/** Whether expected outcomes are written as JSON. */
export function areOutcomesJson(text: string): boolean {
  return /^\s*[[{"]/.test(text);
}

/** Each line is a label that must be true; undefined lines do not exist. */
export function outcomesInLines(text: string): object | null {
  const labels = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return labels.length === 0 ? null : Object.fromEntries(labels.map((label) => [label, true]));
}

function isPlainLine(label: string): boolean {
  return label !== '' && label === label.trim() && !label.includes('\n') && !areOutcomesJson(label);
}
