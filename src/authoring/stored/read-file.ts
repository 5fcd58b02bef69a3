import { extname } from 'node:path';

import { exactJson, exactYaml } from '../yaml/exact-numbers.ts';
import { fault, under, type Fault } from '../yaml/fault.ts';
import { jsonFault } from '../yaml/json-fault.ts';
import { isWithin } from '../yaml/parse-yaml.ts';
import { readJsonLines } from '../yaml/read-jsonl.ts';
import type { Report } from '../yaml/report.ts';
import { isSource, readSource, sourceOf, wholeFile, type RawTest, type SourceFile } from '../yaml/source.ts';
import { envelopeOf, isEnvelope } from './envelope.ts';

/** An unchecked case and its place. */
export type RawCase = RawTest & { readonly file: SourceFile };

/** The content of a file; tool mocks come from envelopes. */
export interface RawCases {
  readonly cases: readonly RawCase[];
  readonly mocks: readonly RawCase[];
}

const NOTHING: RawCases = { cases: [], mocks: [] };

/** The cases of a file: a single one, a list, an envelope, or one per line. Reports mistakes of its structure. */
export async function readCaseFile(
  path: string,
  { display, report }: { readonly display: (path: string) => string; readonly report: Report },
): Promise<RawCases> {
  const shown = display(path);
  return casesOf(await readSource(path, shown), { shown, extension: extname(path).toLowerCase(), report });
}

/** The same of the bytes of a file. `extension`: with its dot, in lower case. */
export function readCaseBytes(bytes: Uint8Array, format: CaseFormat): RawCases {
  const place = { path: format.shown, shown: format.shown, directory: '.' };
  return casesOf(sourceOf(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), place), format);
}

interface CaseFormat {
  readonly shown: string;
  readonly extension: string;
  readonly report: Report;
}

function casesOf(file: SourceFile | Fault, { shown, extension, report }: CaseFormat): RawCases {
  if (!isSource(file)) {
    report.addTo(shown, file.code === 'empty-file' ? fault('empty-file', 'the file is empty') : file);
    return NOTHING;
  }
  const reading = { file, report };
  switch (extension) {
    case '.jsonl':
      return linesOf(reading);
    case '.json':
      return jsonOf(reading);
    case '.yaml':
    case '.yml':
      return yamlOf(reading);
    default:
      report.addTo(
        shown,
        fault('unknown-format', 'unsupported file type; test cases are .json, .yaml, .yml or .jsonl files'),
      );
      return NOTHING;
  }
}

interface Reading {
  readonly file: SourceFile;
  readonly report: Report;
}

function linesOf({ file, report }: Reading): RawCases {
  const tell: Parameters<typeof readJsonLines>[1] = (found, place) => report.addTo(file.shown, found, place);
  const lines = [...readJsonLines(file, tell, exactJson)]
    .flat()
    .map((raw) => rawCases({ ...raw, file }, report));
  return { cases: lines.flatMap(({ cases }) => cases), mocks: lines.flatMap(({ mocks }) => mocks) };
}

function jsonOf({ file, report }: Reading): RawCases {
  const text = file.bytes.toString('utf8');
  const wrong = jsonFault(text);
  if (wrong === undefined) return casesIn(exactJson(text), { file, report });
  const before = text.slice(0, wrong.offset).split('\n');
  const place = { line: before.length, column: (before.at(-1) ?? '').length + 1 };
  report.addTo(file.shown, fault(wrong.code, wrong.message.replace('the line ends', 'the file ends')), place);
  return NOTHING;
}

function yamlOf({ file, report }: Reading): RawCases {
  const fragment = wholeFile(file);
  const parsed = exactYaml(fragment.text());
  if ('failure' in parsed) {
    report.addSyntax(fragment, parsed.failure);
    return NOTHING;
  }
  if (!isWithin(parsed.value, MOST_NODES)) {
    report.addTo(
      file.shown,
      fault('alias-bomb', 'the file is too large after its YAML aliases are expanded'),
    );
    return NOTHING;
  }
  return casesIn(parsed.value, { file, report });
}

/** A value that several aliases share would be one object in many places. */
const MOST_NODES = 10_000_000;

function casesIn(value: unknown, { file, report }: Reading): RawCases {
  const fragment = wholeFile(file);
  if (!Array.isArray(value)) return rawCases({ value, fragment, path: [], file }, report);
  return {
    cases: value.map((item: unknown, index) => ({ value: item, fragment, path: [index], file })),
    mocks: [],
  };
}

/** A case by itself, or the content of its envelope. */
function rawCases(raw: RawCase, report: Report): RawCases {
  const { value } = raw;
  if (!isEnvelope(value)) return { cases: [raw], mocks: [] };
  const { cases, mocks, faults } = envelopeOf(value);
  for (const found of faults) report.add(raw.fragment, under(raw.path, found));
  const inside = (key: string) => (item: unknown, index: number) => ({
    ...raw,
    value: item,
    path: [...raw.path, key, index],
  });
  return { cases: cases.map(inside('test_cases')), mocks: mocks.map(inside('tool_mocks')) };
}
