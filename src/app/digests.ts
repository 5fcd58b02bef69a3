import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename, isAbsolute, join, resolve } from 'node:path';

import type { JudgeChoice } from '../core/judge.ts';
import type { Message } from '../core/message.ts';
import type { GraderPlugin } from '../core/plugin.ts';
import type { Expectation, TestCase, WorkspacePlan, WorkspaceScript } from '../core/test-case.ts';
import type { CaseDigests } from '../engine/plan.ts';
import { digestOf, sha256 } from '../lib/digest.ts';
import type { JsonValue } from '../lib/json.ts';

/** The digests of a run, listed once; rows name them by position. */
export interface DigestList {
  readonly list: readonly string[];
  numberOf(digest: string): number;
}

/** Starts with the digests of an earlier process of the same run, so that numbers stay what they were. */
export function createDigestList(before: readonly string[] = []): DigestList {
  const list = [...before];
  const numbers = new Map(list.map((digest, number) => [digest, number]));
  return {
    list,
    numberOf(digest) {
      const known = numbers.get(digest);
      if (known !== undefined) return known;
      numbers.set(digest, list.length);
      return list.push(digest) - 1;
    },
  };
}

/** Digests of cases and their graders; file contents are read once. */
export function caseDigester(
  digests: DigestList,
  graders: ReadonlyMap<string, GraderPlugin>,
  identityOf: (named: JudgeChoice | null) => JsonValue,
): (testCase: TestCase) => CaseDigests {
  const contentOf = remember((path) => contentDigest(path));
  const source = { graders, contentOf, identityOf };
  return (testCase) => {
    const judges = testCase.expectations.flatMap((expectation) => judgesIn(expectation, graders));
    return {
      case: digests.numberOf(caseDigest(testCase, contentOf)),
      graders: testCase.expectations.map((expectation) =>
        digests.numberOf(graderDigest(expectation, testCase, source)),
      ),
      ...(judges.length === 0 ? {} : { judges }),
    };
  };
}

/** The judges that a grader and its members ask, as far as they are named. */
function judgesIn(
  { type, config }: Pick<Expectation, 'type' | 'config'>,
  graders: ReadonlyMap<string, GraderPlugin>,
): readonly (JudgeChoice | null)[] {
  const plugin = graders.get(type);
  const members = (plugin?.members?.(config) ?? []) as unknown as readonly Expectation[];
  return [
    ...(plugin?.asksJudge?.(config) === true ? [plugin.judge?.(config) ?? null] : []),
    ...members.flatMap((member) => judgesIn(member, graders)),
  ];
}

function caseDigest(testCase: TestCase, contentOf: (path: string) => string): string {
  const { input, vars, expectedOutput, criteria, metadata, sidecar, workspace, limits } = testCase;
  return digestOf({
    input: input.map((message) => portable(message, contentOf)),
    expectedOutput: expectedOutput?.map((message) => portable(message, contentOf)),
    vars,
    criteria,
    metadata,
    sidecar,
    limits,
    workspace: workspace && workspaceContent(workspace, testCase.directory, contentOf),
  });
}

interface GraderSource {
  readonly graders: ReadonlyMap<string, GraderPlugin>;
  readonly contentOf: (path: string) => string;
  readonly identityOf: (named: JudgeChoice | null) => JsonValue;
}

function graderDigest(expectation: Expectation, testCase: TestCase, source: GraderSource): string {
  const { type, config, negate, threshold } = expectation;
  const directory = expectation.directory ?? testCase.directory;
  const plugin = source.graders.get(type);
  const files = plugin?.files?.(config) ?? [];
  const judges = judgesIn(expectation, source.graders);
  return digestOf({
    type,
    version: plugin?.version ?? 0,
    config,
    negate,
    threshold,
    ...(judges.length === 0 ? {} : { judges: judges.map(source.identityOf) }),
    ...(files.length === 0 ? {} : { files: files.map((file) => source.contentOf(resolve(directory, file))) }),
  });
}

/** A message without the place of its files on this machine. */
function portable(message: Message, contentOf: (path: string) => string): unknown {
  if (message.parts.every((part) => 'text' in part || 'json' in part)) return message;
  const parts = message.parts.map((part) => {
    if ('file' in part) return { file: contentOf(part.file) };
    return 'image' in part ? { image: contentOf(part.image) } : part;
  });
  return { ...message, parts };
}

function workspaceContent(
  workspace: WorkspacePlan,
  directory: string,
  contentOf: (path: string) => string,
): unknown {
  const script = (program: WorkspaceScript | undefined) =>
    program && {
      script: program.script.map((word) => (isAbsolute(word) ? basename(word) : word)),
      env: program.env,
      files: program.script.map((word) => contentOf(resolve(program.cwd ?? directory, word))),
    };
  return {
    template: workspace.template && contentOf(workspace.template),
    setup: script(workspace.setup),
    teardown: script(workspace.teardown),
    restore: workspace.restore,
  };
}

/** sha-256 of a file, of a folder as a tree, or `absent`. */
function contentDigest(path: string): string {
  try {
    return sha256(readFileSync(path));
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EISDIR' ? treeDigest(path) : 'absent';
  }
}

function treeDigest(directory: string): string {
  const entries = readdirSync(directory, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  return digestOf(
    entries.map((entry) => {
      const path = join(directory, entry.name);
      if (entry.isSymbolicLink()) return [entry.name, 'link', readlinkSync(path)];
      return [
        entry.name,
        entry.isDirectory() ? treeDigest(path) : entry.isFile() ? contentDigest(path) : 'special',
      ];
    }),
  );
}

function remember(compute: (path: string) => string): (path: string) => string {
  const known = new Map<string, string>();
  return (path) => {
    const value = known.get(path) ?? compute(path);
    known.set(path, value);
    return value;
  };
}
