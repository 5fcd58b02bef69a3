import { isObject, type JsonObject } from '../lib/json.ts';
import { fileOf, type CassetteEntry } from './cassette-files.ts';

const MAX_DIFFERENCES = 6;
const SHOWN_CHARACTERS = 60;

/**
 * Finds the recorded request that is most similar, and describes the differences. The mark around a judge's material is
 * ignored, because it only depends on the material.
 */
export async function nearestEntry(
  asked: JsonObject,
  entries: AsyncIterable<CassetteEntry>,
): Promise<{ readonly file: string; readonly differences: readonly string[] } | undefined> {
  const wanted = unmarked(leavesOf(asked));
  let best: { readonly entry: CassetteEntry; readonly likeness: number } | undefined;
  for await (const entry of entries) {
    const likeness = likenessOf(wanted, unmarked(leavesOf(entry.request)));
    if (best === undefined || likeness > best.likeness) best = { entry, likeness };
  }
  if (best === undefined) return undefined;
  const { key, request } = best.entry;
  return { file: fileOf(request, key), differences: differencesOf(unmarked(leavesOf(request)), wanted) };
}

type Leaves = ReadonlyMap<string, unknown>;

function unmarked(leaves: Leaves): Leaves {
  const marks = [...leaves.values()].flatMap((value) =>
    typeof value === 'string' ? [...value.matchAll(MARK)].map(([, mark = '']) => mark) : [],
  );
  const without = (value: unknown): unknown =>
    typeof value === 'string' ? marks.reduce((text, mark) => text.replaceAll(mark, '(mark)'), value) : value;
  return new Map([...leaves].map(([path, value]) => [path, without(value)]));
}

const MARK = /^===== material ([0-9a-f]{32}) begins =====$/gm;

/** Share of equal leaves; different texts count by their common beginning and end. */
function likenessOf(left: Leaves, right: Leaves): number {
  let alike = 0;
  for (const [path, value] of left) {
    const other = right.get(path);
    if (other === value) alike += 1;
    else if (typeof other === 'string' && typeof value === 'string') {
      alike += commonLength(other, value) / (Math.max(other.length, value.length) + 1);
    }
  }
  return alike / Math.max(left.size, right.size);
}

function differencesOf(recorded: Leaves, asked: Leaves): readonly string[] {
  const paths = [...new Set([...recorded.keys(), ...asked.keys()])];
  const lines = paths
    .filter((path) => recorded.get(path) !== asked.get(path))
    .map((path) => `${path}: ${differenceOf(recorded.get(path), asked.get(path))}`);
  const more = lines.length - MAX_DIFFERENCES;
  return more > 0 ? [...lines.slice(0, MAX_DIFFERENCES), `and ${more} more places`] : lines;
}

function differenceOf(recorded: unknown, asked: unknown): string {
  if (recorded === undefined) return `asked with ${shown(asked, 0)}, recorded without`;
  if (asked === undefined) return `recorded with ${shown(recorded, 0)}, asked without`;
  const at = typeof recorded === 'string' && typeof asked === 'string' ? firstDifference(recorded, asked) : 0;
  const where = at > SHOWN_CHARACTERS / 3 ? ` (from character ${at + 1})` : '';
  return `recorded ${shown(recorded, at)}, asked ${shown(asked, at)}${where}`;
}

/** The part of a value around its first difference. */
function shown(value: unknown, at: number): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  const from = Math.max(0, at - SHOWN_CHARACTERS / 3);
  const part = value.slice(from, from + SHOWN_CHARACTERS);
  return `${from > 0 ? '...' : ''}${JSON.stringify(part)}${from + SHOWN_CHARACTERS < value.length ? '...' : ''}`;
}

function firstDifference(left: string, right: string): number {
  const end = Math.min(left.length, right.length);
  for (let i = 0; i < end; i++) if (left[i] !== right[i]) return i;
  return end;
}

function commonLength(left: string, right: string): number {
  const begin = firstDifference(left, right);
  const most = Math.min(left.length, right.length) - begin;
  let end = 0;
  while (end < most && left[left.length - 1 - end] === right[right.length - 1 - end]) end += 1;
  return begin + end;
}

function leavesOf(value: unknown, path = '', leaves = new Map<string, unknown>()): Map<string, unknown> {
  if (Array.isArray(value)) value.forEach((item, i) => leavesOf(item, `${path}[${i}]`, leaves));
  else if (isObject(value)) {
    for (const [key, member] of Object.entries(value))
      leavesOf(member, path === '' ? key : `${path}.${key}`, leaves);
  } else leaves.set(path, value);
  return leaves;
}
