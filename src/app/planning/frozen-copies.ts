import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import { measuredPart } from '../../authoring/stored/digest.ts';
import type { CaseFields } from '../../core/case-store.ts';
import type { GraderPlugin } from '../../core/plugin.ts';
import type { Frozen } from '../../core/run.ts';
import type { Expectation, TestCase } from '../../core/test-case.ts';
import type { CaseDigests } from '../../core/run-spec.ts';
import { gradersUnder } from '../../engine/plan.ts';
import { digestOf } from '../../lib/digest.ts';
import { isObject, type JsonObject, type JsonValue } from '../../lib/json.ts';
import { remembering } from '../../lib/text/remembering.ts';
import { termsOf, userPromptOf } from './digests.ts';
import type { WorldsByTool } from '../binding/machine.ts';
import { labelDigest } from '../../storage/runs/label-digest.ts';
import { answersOf } from './mocks-digest.ts';
import type { BoundRun } from '../binding/bind.ts';
import { withMembers } from '../binding/with-members.ts';
import { statusAt } from '../../lib/files/file-status.ts';

/** The source of frozen copies. */
export interface FrozenSource {
  /** Stored cases, by digest. */
  readonly contents: ReadonlyMap<string, CaseFields>;
  readonly graders: ReadonlyMap<string, GraderPlugin>;
  readonly worldsByTool: WorldsByTool;
  /** The list of digests; the index is the number. */
  readonly digests: readonly string[];
}

/** A case of a run with its digests. Cases without a digest of their own are not copied. */
export interface DigestedCase {
  readonly testCase: TestCase | undefined;
  readonly digests: Omit<CaseDigests, 'case'> & Partial<Pick<CaseDigests, 'case'>>;
  readonly targets: Iterable<string>;
}

/** Copies of the stored cases of a plan. */
export function frozenCases({ plan, machine, spec: { digests } }: BoundRun): Iterable<Frozen> {
  return frozenCopies(casesOf(plan), { ...machine, digests });
}

/** Gives one case at a time, so that a large suite is never completely in memory. */
function casesOf({ cases, suites }: BoundRun['plan']): Iterable<DigestedCase> {
  return {
    *[Symbol.iterator]() {
      for (const { suite, index, digests, targets } of cases)
        yield { testCase: suites[suite]?.cases.at(index), digests, targets };
    },
  };
}

/** Copies of everything in stored cases that a later edit could change, one for each digest. Other cases are not copied. */
export function frozenCopies(cases: Iterable<DigestedCase>, source: FrozenSource): Iterable<Frozen> {
  // A transaction that lost a deadlock writes them again.
  return { [Symbol.iterator]: () => copiesOfAll(cases, source) };
}

function* copiesOfAll(cases: Iterable<DigestedCase>, source: FrozenSource): Generator<Frozen> {
  if (source.contents.size === 0) return;
  const copying: Copying = {
    ...source,
    filesOf: graderFiles(source.graders),
    copied: new Uint8Array(source.digests.length),
    labelled: new Set(),
    prompts: new WeakSet(),
    promptDigests: new Set(),
  };
  for (const each of cases) {
    // A list, because 400,000 copies take twice as long through one more generator.
    for (const copy of copiesOf(each, copying)) yield copy;
  }
}

interface Copying extends FrozenSource {
  readonly filesOf: GraderFiles;
  /** 1 at the numbers of digests that have their copy. */
  readonly copied: Uint8Array;
  /** Ids of cases whose labels have theirs. */
  readonly labelled: Set<string>;
  /** Those of judges that have theirs, and the digests of all of them. */
  readonly prompts: WeakSet<object>;
  readonly promptDigests: Set<string>;
}

function copiesOf({ testCase, digests, targets }: DigestedCase, source: Copying): readonly Frozen[] {
  const content = source.contents.get(testCase?.digest ?? '');
  if (testCase === undefined || content === undefined) return [];
  const copies: Frozen[] = [];
  const copy = (kind: Frozen['kind'], number: number | undefined, body: () => unknown): void => {
    const digest = source.digests[number ?? -1];
    if (number === undefined || digest === undefined || source.copied[number] === 1) return;
    source.copied[number] = 1;
    copies.push({ digest, kind, body: body() as JsonValue });
  };
  copy('case', digests.case, () => measuredPart(content));
  if (!source.labelled.has(testCase.id)) {
    source.labelled.add(testCase.id);
    copies.push({ digest: labelDigest(testCase.id), kind: 'label', body: labelOf(testCase) });
  }
  copy('mocks', digests.mocks, () => answersOf(testCase, source.worldsByTool));
  copy('terms', digests.terms, () => JSON.parse(termsOf(testCase)));
  copy('user-prompt', digests.userPrompt, () => userPromptOf(testCase));
  for (const [index, expectation] of testCase.expectations.entries()) {
    const plugin = source.graders.get(expectation.type);
    const whole = () => wholeOf(expectation, plugin, source.filesOf(expectation, testCase.directory));
    for (const target of targets) copy('expectation', gradersUnder(digests, target)[index], whole);
    for (const prompt of plugin?.prompts?.(expectation.config) ?? []) {
      if (isObject(prompt) && source.prompts.has(prompt)) continue;
      if (isObject(prompt)) source.prompts.add(prompt);
      const digest = digestOf(prompt);
      if (source.promptDigests.has(digest)) continue;
      source.promptDigests.add(digest);
      copies.push({ digest, kind: 'judge-prompt', body: prompt });
    }
  }
  return copies;
}

/** What its digest covers, in its order, with the texts of its files. */
function wholeOf(
  expectation: Expectation,
  plugin: GraderPlugin | undefined,
  files: ReturnType<GraderFiles>,
): object {
  const { type, config, negate, threshold, afterLine } = expectation;
  const version = plugin?.version ?? 0;
  // Most have no more than that.
  if ((negate ?? threshold ?? afterLine ?? files) === undefined) return { type, config, version };
  const { name: _name, weight: _weight, required: _required, directory: _directory, ...rest } = expectation;
  return { ...rest, version, ...(files && { files }) };
}

/** Name, description, difficulty and tags of a case, which its digest does not cover. */
function labelOf({ name, description, difficulty, tags }: TestCase): JsonObject {
  return { name, description, difficulty, tags };
}

/** Texts that graders read from files, by written path. */
type GraderFiles = (expectation: Expectation, folder: string) => Readonly<Record<string, string>> | undefined;

/** Reads each file once per run. Binary files are omitted; only their digest is kept. */
function graderFiles(graders: FrozenSource['graders']): GraderFiles {
  const textOf = remembering(REMEMBERED, textIn);
  return (expectation, folder) => {
    const own = graders.get(expectation.type);
    if (own?.files === undefined && own?.members === undefined) return undefined;
    const texts = withMembers(expectation, graders, folder).flatMap(({ plugin, config, directory }) =>
      (plugin.files?.(config) ?? []).flatMap((file) => {
        const { text } = textOf(resolve(directory, file));
        return text === undefined ? [] : [[file, text] as const];
      }),
    );
    return texts.length === 0 ? undefined : Object.fromEntries(texts);
  };
}

const REMEMBERED = 64;

function textIn(path: string): { readonly text?: string } {
  if (statusAt(path)?.isFile() !== true) return {};
  const bytes = readFileSync(path);
  return isUtf8(bytes) ? { text: bytes.toString('utf8') } : {};
}
