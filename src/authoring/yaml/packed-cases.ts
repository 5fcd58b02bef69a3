import type { CaseList, TestCase } from '../../core/test-case.ts';

/** What many cases have in common. */
export interface CaseOrigin {
  readonly directory: string;
  /** The path as shown to people. */
  readonly file: string;
}

export type PackedCase = Omit<TestCase, 'directory' | 'source'>;

/** Stores cases as compact JSON outside the heap, and parses one when it is requested. */
export interface CasePacker {
  add(json: string, origin: CaseOrigin, line: number | undefined): void;
  /** Where a case was written. */
  sourceOf(index: number): { readonly file: string; readonly line?: number };
  readonly list: CaseList;
}

export function createCasePacker(): CasePacker {
  const chunks: Buffer[] = [];
  let used = 0;
  const places: { readonly chunk: number[]; readonly start: number[]; readonly end: number[] } = {
    chunk: [],
    start: [],
    end: [],
  };
  const origins: CaseOrigin[] = [];
  const originOf: number[] = [];
  const lines: number[] = [];

  function add(json: string, origin: CaseOrigin, line: number | undefined): void {
    let chunk = chunks.at(-1);
    // A character needs at most three bytes.
    if (chunk === undefined || used + json.length * 3 > chunk.length) {
      chunk = Buffer.allocUnsafeSlow(Math.max(CHUNK_BYTES, json.length * 3));
      chunks.push(chunk);
      used = 0;
    }
    places.chunk.push(chunks.length - 1);
    places.start.push(used);
    used += chunk.write(json, used);
    places.end.push(used);
    if (origins.at(-1) !== origin) origins.push(origin);
    originOf.push(origins.length - 1);
    lines.push(line ?? 0);
  }

  function sourceOf(index: number): { readonly file: string; readonly line?: number } {
    const file = origins[originOf[index] ?? 0]?.file ?? '';
    const line = lines[index] ?? 0;
    return line === 0 ? { file } : { file, line };
  }

  function at(index: number): TestCase {
    const chunk = chunks[places.chunk[index] ?? -1];
    const origin = origins[originOf[index] ?? -1];
    if (chunk === undefined || origin === undefined)
      throw new RangeError(`case index out of range: ${index}`);
    const packed = JSON.parse(chunk.toString('utf8', places.start[index], places.end[index])) as PackedCase;
    return Object.assign(packed, { source: sourceOf(index), directory: origin.directory });
  }

  const list: CaseList = {
    get length() {
      return lines.length;
    },
    at,
  };
  return { add, sourceOf, list };
}

const CHUNK_BYTES = 1 << 20;
