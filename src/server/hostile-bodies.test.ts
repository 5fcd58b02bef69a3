import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { onServedStores } from '../../test/support/served-store.ts';
import { SOUND_REQUESTS, type ChangingOperation } from '../../test/support/sound-requests.ts';
import type { Route } from '../api/route.ts';
import { table, type Operation } from '../api/table.ts';
import { isObject } from '../lib/json.ts';

const nested = (levels: number): unknown => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`);

/** What stands instead of each value of a sound body, as JSON text. */
const VALUES: readonly string[] = [
  JSON.stringify(`'; drop table test_case; -- " \\ %_ $1 {} \${{ DATABASE_URL }}`),
  '"a\\u0000b"',
  '"\\ud800"',
  '"\\udc00\\ud800"',
  '""',
  '"\\u202e\\u0007 \\u2028"',
  '1e400',
  '-1e-400',
  '12345678901234567890',
  '9007199254740992',
  '2147483648',
  '-1',
  '0.1',
  'null',
  'true',
  '[]',
  '{}',
  '{"__proto__":{"polluted":true},"constructor":1,"toString":null}',
  JSON.stringify({ '': 1, '\u0000': 2 }),
];

/** Larger ones. */
const LARGE_VALUES: readonly string[] = [
  JSON.stringify('x'.repeat(100_000)),
  JSON.stringify(nested(500)),
  JSON.stringify(Array.from({ length: 10_000 }, (_, at) => `tag ${at}`)),
  JSON.stringify(Array.from({ length: 1000 }, () => ({}))),
];

/** The same in the lines of an upload, which has many places. */
const VALUES_OF_LINES = ['"a\\u0000b"', '"\\ud800"', '1e400', '2147483648', '-1', 'null', '[{}]'];

/** Whole bodies. */
const BODIES: readonly (string | Uint8Array)[] = [
  '',
  ' ',
  'null',
  '"x"',
  '1',
  '{',
  '{}x',
  '[{}]',
  '{"a":1,"a":2}',
  `${'['.repeat(100_000)}`,
  `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`,
  `[${'1,'.repeat(40_000)}1]`,
  '\uFEFF{}',
  Buffer.from([0x7b, 0x22, 0xc3, 0x28, 0x22, 0x3a, 0x31, 0x7d]),
  Buffer.from([0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]),
  Buffer.from([0xed, 0xa0, 0x80]),
  Buffer.from('{}', 'utf16le'),
  Buffer.alloc(1_000_001, 0x20),
  Buffer.alloc(3000, 0),
];

const TYPES: readonly string[] = [
  '',
  'text/plain',
  'application/json; charset=utf-16',
  'application/json; charset="',
  'application/xml',
  'multipart/form-data; boundary=x',
  'application/x-www-form-urlencoded',
  `application/json; ${'x=y;'.repeat(1000)}`,
];

const operations = Object.keys(SOUND_REQUESTS) as ChangingOperation[];

/** Bodies that may get as far as a database. */
const PARSED = BODIES.filter((body) => {
  try {
    JSON.parse(String(body));
    return true;
  } catch {
    return false;
  }
});

onServedStores('hostile requests', ({ ask, url, folder, database }) => {
  const project = () =>
    writeFileSync(
      join(folder, 'assay.config.json'),
      JSON.stringify({
        targets: { bot: { type: 'mock', response: 'yes' } },
        user: { type: 'scripted', messages: [] },
        judge: { model: 'none/none', metrics: [] },
        run: { expectations: [{ type: 'contains', value: 'yes' }] },
      }),
    );

  /** What is wrong with an answer; undefined: it is a success, or an error as all of them are. */
  const faultOf = async (operation: Operation, path: string, request: RequestInit) => {
    const { method }: Route = table[operation];
    const headers = { 'If-Match': '*', ...(request.headers as Record<string, string>) };
    const answer = await fetch(`${url()}/api/v1${path}`, { ...request, method, headers });
    const text = await answer.text();
    const shown = `${answer.status} ${text.slice(0, 300)}`;
    if (answer.status < 300) return undefined;
    const { error } = JSON.parse(text) as { readonly error?: Readonly<Record<string, unknown>> };
    const isShaped =
      isObject(error) &&
      [error['code'], error['message'], error['request_id']].every((part) => typeof part === 'string') &&
      (error['param'] === null || typeof error['param'] === 'string');
    const tells =
      /\bat \S+:\d+:\d+|node_modules|\bselect \w+ from\b|\binsert into\b|\bsyntax error at\b/i.test(text);
    return isShaped && !tells && answer.status < 500 ? undefined : shown;
  };

  test.each(operations)('%s: a body with any value in any place is taken or refused', async (operation) => {
    project();
    const { path, body, text } = await SOUND_REQUESTS[operation](ask);
    const { upload }: Route = table[operation];
    const type = upload?.types[0] ?? 'application/json';
    const headers = { 'Content-Type': type };
    const sound = text ?? JSON.stringify(body);
    const faults: unknown[] = [];
    const bodies = text === undefined ? changed(body) : changedLines(text);
    // The others are refused before a database is asked, so the server's will do.
    const isServer = database().login !== undefined;
    for (const each of [...bodies, ...(isServer ? BODIES : PARSED)]) {
      const fault = await faultOf(operation, path, { headers, body: each as string });
      if (fault !== undefined) faults.push([String(each).slice(0, 300), fault]);
    }
    for (const each of isServer ? TYPES : []) {
      const fault = await faultOf(operation, path, { headers: { 'Content-Type': each }, body: sound });
      if (fault !== undefined) faults.push([each, fault]);
    }
    expect(faults).toEqual([]);
  });
});

/** The body with hostile values in each place, and in one more key of each object. */
function* changed(body: unknown): Generator<string> {
  for (const [at, place] of placesIn(body).entries()) {
    for (const value of valuesFor(at)) yield textWith(body, place, value);
  }
}

/** Some for each place, so that all of them come; `ASSAY_HOSTILE=all`: all in each place. */
function valuesFor(at: number): readonly string[] {
  if (process.env['ASSAY_HOSTILE'] === 'all') return [...VALUES, ...LARGE_VALUES];
  const some = [0, 1, 2].flatMap((each) => VALUES[(3 * at + each) % VALUES.length] ?? []);
  return [...some, ...(at % 3 === 1 ? [LARGE_VALUES[((at - 1) / 3) % LARGE_VALUES.length] ?? ''] : [])];
}

/** The same of the lines of an upload, a line at a time. */
function* changedLines(text: string): Generator<string> {
  if (!text.startsWith('{')) return;
  const lines = text.trimEnd().split('\n');
  for (const [at, line] of lines.entries()) {
    const body: unknown = JSON.parse(line);
    for (const [index, place] of placesIn(body).entries()) {
      const value = VALUES_OF_LINES[index % VALUES_OF_LINES.length] ?? '';
      yield `${lines.with(at, textWith(body, place, value)).join('\n')}\n`;
    }
  }
}

const MARK = '\u0001here\u0001';

function textWith(body: unknown, place: readonly string[], value: string): string {
  return JSON.stringify(replaced(body, place)).replace(JSON.stringify(MARK), () => value);
}

function replaced(value: unknown, [key, ...rest]: readonly string[]): unknown {
  if (key === undefined) return MARK;
  if (Array.isArray(value))
    return value.map((item: unknown, at) => (String(at) === key ? replaced(item, rest) : item));
  const object = value as Record<string, unknown>;
  return { ...object, [key]: replaced(object[key], rest) };
}

function placesIn(value: unknown, above: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [above];
  const below = Object.entries(value).flatMap(([key, member]) => placesIn(member, [...above, key]));
  return [above, ...below, ...(Array.isArray(value) ? [] : [[...above, 'more']])];
}
