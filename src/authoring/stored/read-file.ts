import { extname } from 'node:path';

import { fault, type Path } from '../yaml/fault.ts';
import { jsonFault } from '../yaml/json-fault.ts';
import { isWithin, parseYaml } from '../yaml/parse-yaml.ts';
import { readJsonLines } from '../yaml/read-jsonl.ts';
import type { Report } from '../yaml/report.ts';
import { isSource, readSource, wholeFile, type RawTest, type SourceFile } from '../yaml/source.ts';
import { isObject } from '../../lib/json.ts';
import { envelopeOf } from './envelope.ts';

/** A case before it was looked at, and where it is written. */
export type RawCase = RawTest & { readonly file: SourceFile };

/** The cases of a file: one, a list, an envelope, or one a line; what is wrong with its shape is told. */
export async function readCaseFile(
  path: string,
  { display, report }: { readonly display: (path: string) => string; readonly report: Report },
): Promise<readonly RawCase[]> {
  const shown = display(path);
  const file = await readSource(path, shown);
  if (!isSource(file)) {
    report.addTo(shown, file.code === 'empty-file' ? fault('empty-file', 'the file is empty') : file);
    return [];
  }
  const reading = { file, report };
  switch (extname(path).toLowerCase()) {
    case '.jsonl':
      return linesOf(reading);
    case '.json':
      return jsonOf(reading);
    case '.yaml':
    case '.yml':
      return yamlOf(reading);
    default:
      report.addTo(shown, fault('unknown-format', 'test cases stand in .json, .yaml, .yml or .jsonl files'));
      return [];
  }
}

interface Reading {
  readonly file: SourceFile;
  readonly report: Report;
}

function linesOf({ file, report }: Reading): readonly RawCase[] {
  const tell: Parameters<typeof readJsonLines>[1] = (found, place) => report.addTo(file.shown, found, place);
  return [...readJsonLines(file, tell)].flat().map((raw) => ({ ...raw, file }));
}

function jsonOf({ file, report }: Reading): readonly RawCase[] {
  const text = file.bytes.toString('utf8');
  const wrong = jsonFault(text);
  if (wrong === undefined) return casesIn(JSON.parse(text), { file, report });
  const before = text.slice(0, wrong.offset).split('\n');
  const place = { line: before.length, column: (before.at(-1) ?? '').length + 1 };
  report.addTo(file.shown, fault(wrong.code, wrong.message.replace('the line ends', 'the file ends')), place);
  return [];
}

function yamlOf({ file, report }: Reading): readonly RawCase[] {
  const fragment = wholeFile(file);
  const parsed = parseYaml(fragment.text(), 'aliases');
  if ('failure' in parsed) {
    report.addSyntax(fragment, parsed.failure);
    return [];
  }
  if (!isWithin(parsed.value, MOST_NODES)) {
    report.addTo(file.shown, fault('alias-bomb', 'with its aliases written out the file is too large'));
    return [];
  }
  return casesIn(parsed.value, { file, report });
}

/** A value that aliases share would be one object in many places. */
const MOST_NODES = 10_000_000;

function casesIn(value: unknown, { file, report }: Reading): readonly RawCase[] {
  const fragment = wholeFile(file);
  const raw = (item: unknown, path: Path): RawCase => ({ value: item, fragment, path, file });
  if (Array.isArray(value)) return value.map((item, index) => raw(item, [index]));
  if (!isObject(value) || !('format' in value || 'test_cases' in value)) return [raw(value, [])];
  const { cases, faults } = envelopeOf(value);
  for (const found of faults) report.add(fragment, found);
  return cases.map((item, index) => raw(item, ['test_cases', index]));
}
