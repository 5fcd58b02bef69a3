import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { basename, isAbsolute, join, relative, resolve, sep } from 'node:path';

import type { LoadedConfig } from '../../authoring/config/load-config.ts';
import type { JudgeChoice } from '../../core/judge.ts';
import type { Message } from '../../core/message.ts';
import type { GraderPlugin } from '../../core/plugin.ts';
import type { Expectation, TestCase, WorkspacePlan, WorkspaceScript } from '../../core/test-case.ts';
import type { CaseDigests } from '../../engine/plan.ts';
import { digestOf, sha256 } from '../../lib/digest.ts';
import { remembering } from '../../lib/text/remembering.ts';
import type { JsonObject, JsonValue } from '../../lib/json.ts';
import type { JudgeIdentity } from './judge-identity.ts';
import type { Handlers } from '../running/machine.ts';
import { simulatorPrompt } from '../../users/simulator-prompt.ts';
import { mocksDigest, worldsOf } from './mocks-digest.ts';
import { ownStatusAt, statusAt } from '../../lib/files/file-status.ts';

/** The list of digests of a run. Rows refer to them by position. */
export interface DigestList {
  readonly list: readonly string[];
  numberOf(digest: string): number;
}

/** Starts with the digests of an earlier process of the same run, so that positions do not change. */
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

export interface DigestSource {
  readonly digests: DigestList;
  readonly graders: ReadonlyMap<string, GraderPlugin>;
  /** The identity of a named judge, or of the default one. */
  readonly identityOf: JudgeIdentity;
  /** Programs outside the project and the case's folder belong to the machine and have no digest. */
  readonly projectRoot: string;
  /** The code behind mocks. */
  readonly handlers: Handlers;
  /** The user of stored cases. A script gets no prompt. */
  readonly loaded: { readonly config: Pick<LoadedConfig['config'], 'user'> };
}

interface Contents {
  readonly contentOf: (path: string) => string;
  readonly graders: ReadonlyMap<string, GraderPlugin>;
  readonly identityOf: (named: JudgeChoice | null) => JsonValue;
  readonly projectRoot: string;
  readonly handlers: Handlers;
}

/** Computes digests of cases, their graders and their terms. Each file is read once. */
export function caseDigester({
  digests,
  identityOf,
  loaded,
  ...source
}: DigestSource): (testCase: TestCase) => CaseDigests {
  const contents: Contents = {
    ...source,
    contentOf: remember(contentDigest),
    identityOf: (named) => identityOf.of(named),
  };
  const gradersOf = graderNumbers(digests, contents);
  const apart = identityOf.apart.map((target) => {
    const within: Contents = { ...contents, identityOf: (named) => identityOf.of(named, target) };
    return [target, graderNumbers(digests, within)] as const;
  });
  const termsDigest = remember(sha256);
  const { user } = loaded.config;
  const isScripted = typeof user === 'object' && user.type === 'scripted';
  return (testCase) => {
    const mocks = mocksDigest(testCase, source.handlers);
    const prompt = isScripted ? undefined : userPromptOf(testCase);
    const judges = testCase.expectations.flatMap((expectation) => judgesIn(expectation, source.graders));
    return {
      case: digests.numberOf(caseDigest(testCase, contents)),
      graders: gradersOf(testCase),
      ...(judges.length === 0 || apart.length === 0
        ? {}
        : {
            gradersUnder: Object.fromEntries(apart.map(([target, under]) => [target, under(testCase)])),
          }),
      terms: digests.numberOf(termsDigest(termsOf(testCase))),
      ...(judges.length === 0 ? {} : { judges }),
      ...(mocks === undefined ? {} : { mocks: digests.numberOf(mocks) }),
      ...(prompt === undefined ? {} : { userPrompt: digests.numberOf(sha256(prompt)) }),
    };
  };
}

/** Caches the last expectations, because cases of a suite often share them. */
function graderNumbers(digests: DigestList, contents: Contents): (testCase: TestCase) => readonly number[] {
  const digestOfText = remembering(REMEMBERED, (text) => {
    const { folder, ...expectation } = JSON.parse(text) as Digested & { readonly folder: string };
    return graderDigest(expectation, folder, contents);
  });
  return ({ expectations, directory }) =>
    expectations.map(({ type, config, negate, threshold, afterLine, directory: own }) => {
      const digested = { type, config, negate, threshold, afterLine, directory: own, folder: directory };
      return digests.numberOf(digestOfText(JSON.stringify(digested)));
    });
}

const REMEMBERED = 64;

/** The part of an expectation that its digest covers. */
type Digested = Pick<Expectation, 'type' | 'config' | 'negate' | 'threshold' | 'afterLine' | 'directory'>;

/** The named judges of a grader and its members. */
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

/** The prompt for a model that plays the user of a stored case. */
export function userPromptOf({ digest, user }: Pick<TestCase, 'digest' | 'user'>): string | undefined {
  return digest === undefined || user?.type !== 'simulated' ? undefined : simulatorPrompt(user);
}

/** Further settings that decide an outcome, such as the threshold. Most cases of a suite share them. */
export function termsOf({ threshold, expectedFail, skip, dependsOn, expectations }: TestCase): string {
  return JSON.stringify({
    threshold,
    expectedFail,
    skip,
    dependsOn,
    expectations: expectations.map(({ name, weight, required }) => [name, weight, required]),
  });
}

function caseDigest(testCase: TestCase, contents: Contents): string {
  const { contentOf, handlers } = contents;
  if (testCase.digest !== undefined) return testCase.digest;
  const { tools, mocks, faults } = testCase;
  const { input, vars, expectedOutput, criteria, metadata, sidecar, workspace, limits, module } = testCase;
  const { user, maxTurns } = testCase;
  return digestOf({
    input: input.map((message) => portable(message, contentOf)),
    user:
      user?.type === 'scripted'
        ? { ...user, messages: user.messages.map((message) => portable(message, contentOf)) }
        : user,
    maxTurns,
    expectedOutput: expectedOutput?.map((message) => portable(message, contentOf)),
    vars,
    criteria,
    metadata,
    sidecar,
    limits,
    module,
    tools,
    mocks,
    faults,
    worlds: worldsOf(testCase, handlers),
    workspace: workspace && workspaceContent(workspace, testCase.directory, contents),
  });
}

function graderDigest(expectation: Digested, caseDirectory: string, contents: Contents): string {
  const { type, negate, threshold, afterLine } = expectation;
  const plugin = contents.graders.get(type);
  const directory = expectation.directory ?? caseDirectory;
  const judges = judgesIn(expectation, contents.graders);
  const files = plugin?.files?.(expectation.config) ?? [];
  return digestOf({
    type,
    version: plugin?.version ?? 0,
    config: withDigestedMembers(expectation.config, plugin, (member) => ({
      name: member.name,
      weight: member.weight,
      required: member.required,
      digest: graderDigest(member, directory, contents),
    })),
    negate,
    threshold,
    afterLine,
    ...(judges.length === 0 ? {} : { judges: judges.map(contents.identityOf) }),
    ...(files.length === 0
      ? {}
      : { files: files.map((file) => contents.contentOf(resolve(directory, file))) }),
  });
}

/** Replaces members by their digests, which cover versions and files but no local paths. */
function withDigestedMembers(
  config: JsonObject,
  plugin: GraderPlugin | undefined,
  digested: (member: Expectation) => unknown,
): unknown {
  const deciding = plugin?.deciding?.(config) ?? config;
  const members: unknown = plugin?.members?.(config);
  if (members === undefined) return deciding;
  // The loader replaced the entries with validated expectations.
  return Object.fromEntries(
    Object.entries(deciding).map(([key, value]) =>
      value === members ? [key, (members as readonly Expectation[]).map(digested)] : [key, value],
    ),
  );
}

/** A message without local paths of its files. */
function portable(message: Pick<Message, 'parts'>, contentOf: (path: string) => string): unknown {
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
  { contentOf, projectRoot }: Contents,
): unknown {
  const own = (path: string) => (isOwnFile(path, [directory, projectRoot]) ? contentOf(path) : undefined);
  const script = (program: WorkspaceScript | undefined) =>
    program && {
      script: program.script.map((word) => (isAbsolute(word) ? basename(word) : word)),
      env: program.env,
      files: program.script.map((word) => own(resolve(program.cwd ?? directory, word)) ?? null),
    };
  return {
    template: workspace.template && contentOf(workspace.template),
    setup: script(workspace.setup),
    teardown: script(workspace.teardown),
    restore: workspace.restore,
    bootstrap: script(workspace.bootstrap),
    mode: workspace.shared === undefined ? undefined : 'shared',
  };
}

/** Whether a word of a command is the path of a regular file in one of these folders. */
function isOwnFile(path: string, folders: readonly string[]): boolean {
  const isInside = folders.some((folder) => {
    const way = relative(folder, path);
    return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
  });
  return isInside && ownStatusAt(path)?.isFile() === true;
}

/** sha-256 of a file or a folder tree, or `special` or `absent`. */
function contentDigest(path: string): string {
  try {
    const found = statSync(path);
    if (found.isDirectory()) return treeDigest(path);
    // Reading a pipe or a device might never end.
    return found.isFile() ? sha256(readFileSync(path)) : 'special';
  } catch {
    return 'absent';
  }
}

/** sha-256 of a file; `absent` for anything else. */
export function fileDigest(path: string): string {
  return statusAt(path)?.isFile() === true ? contentDigest(path) : 'absent';
}

/** sha-256 of all files in a folder. */
export function treeDigest(directory: string): string {
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
