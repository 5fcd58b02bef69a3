import { resolve } from 'node:path';

import type { LoadedConfig } from '../../authoring/config/load-config.ts';
import type { JudgeChoice } from '../../core/judge.ts';
import type { Message } from '../../core/message.ts';
import type { GraderPlugin } from '../../core/plugin.ts';
import type { Expectation, TestCase } from '../../core/test-case.ts';
import type { CaseDigests } from '../../core/run-spec.ts';
import { canonicalWriter } from '../../lib/canonical-writer.ts';
import { digestOf, sha256 } from '../../lib/digest.ts';
import { remembering } from '../../lib/text/remembering.ts';
import type { JsonObject, JsonValue } from '../../lib/json.ts';
import { judgesOf, withMembers } from '../binding/with-members.ts';
import type { JudgeIdentity } from './judge-identity.ts';
import type { WorldsByTool } from '../binding/machine.ts';
import { simulatorPrompt } from '../../users/simulator-prompt.ts';
import { mocksDigest, worldsOf } from './mocks-digest.ts';
import { partsInCommon, repeating } from './seen-expectations.ts';
import { contentDigest } from '../project/file-digests.ts';
import { filesThatDecide } from '../binding/files-that-decide.ts';
import { workspaceContent } from './workspace-content.ts';

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
  readonly worldsByTool: WorldsByTool;
  /** The user of stored cases. A script gets no prompt. */
  readonly loaded: { readonly config: Pick<LoadedConfig['config'], 'user'> };
}

interface Contents {
  readonly contentOf: (path: string) => string;
  readonly graders: ReadonlyMap<string, GraderPlugin>;
  readonly identityOf: (named: JudgeChoice | null) => JsonValue;
  readonly projectRoot: string;
  readonly worldsByTool: WorldsByTool;
  readonly write: ReturnType<typeof canonicalWriter>;
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
    contentOf: remembering(Infinity, contentDigest),
    identityOf: knownForAll((named) => identityOf.of(named)),
    write: canonicalWriter(),
  };
  const gradersOf = graderNumbers(digests, contents);
  const apart = identityOf.apart.map((target) => {
    const within: Contents = {
      ...contents,
      identityOf: knownForAll((named) => identityOf.of(named, target)),
    };
    return [target, graderNumbers(digests, within)] as const;
  });
  const termsNumber = termsNumbers(digests);
  const { user } = loaded.config;
  const isScripted = typeof user === 'object' && user.type === 'scripted';
  const promptNumber = isScripted ? () => undefined : promptNumbers(digests);
  return (testCase) => {
    const mocks = mocksDigest(testCase, source.worldsByTool);
    const userPrompt = promptNumber(testCase);
    const asking = testCase.expectations.flatMap((expectation) => withMembers(expectation, source.graders));
    const judges = judgesOf(asking);
    const models = asking.flatMap(({ plugin, config }) => plugin.models?.(config) ?? []);
    return {
      case: digests.numberOf(caseDigest(testCase, contents)),
      graders: gradersOf(testCase),
      ...(judges.length === 0 || apart.length === 0
        ? {}
        : {
            gradersUnder: Object.fromEntries(apart.map(([target, under]) => [target, under(testCase)])),
          }),
      terms: termsNumber(testCase),
      ...(judges.length === 0 ? {} : { judges }),
      ...(models.length === 0 ? {} : { models }),
      ...(mocks === undefined ? {} : { mocks: digests.numberOf(mocks) }),
      ...(userPrompt === undefined ? {} : { userPrompt }),
    };
  };
}

/** Numbers of the digests of terms. Most cases have those of the case before. */
function termsNumbers(digests: DigestList): (testCase: TestCase) => number {
  const digestOfText = remembering(Infinity, sha256);
  let last: { readonly testCase: TestCase; readonly number: number } | undefined;
  return (testCase) => {
    if (last !== undefined && haveSameTerms(last.testCase, testCase)) return last.number;
    last = { testCase, number: digests.numberOf(digestOfText(termsOf(testCase))) };
    return last.number;
  };
}

/** Numbers of the digests of prompts of users. Cases that describe nobody have one and the same user. */
function promptNumbers(digests: DigestList): (testCase: TestCase) => number | undefined {
  const digestOfText = remembering(REMEMBERED, sha256);
  let last: { readonly user: TestCase['user']; readonly number: number } | undefined;
  return (testCase) => {
    if (last !== undefined && last.user === testCase.user && testCase.digest !== undefined)
      return last.number;
    const prompt = userPromptOf(testCase);
    if (prompt === undefined) return undefined;
    last = { user: testCase.user, number: digests.numberOf(digestOfText(prompt)) };
    return last.number;
  };
}

/** The identity of the judge that most graders ask: those that name none. */
function knownForAll(of: Contents['identityOf']): Contents['identityOf'] {
  let unnamed: JsonValue | undefined;
  return (named) => (named === null ? (unnamed ??= of(null)) : of(named));
}

/** Caches the last expectations, because cases of a suite often share them. */
function graderNumbers(digests: DigestList, contents: Contents): (testCase: TestCase) => readonly number[] {
  let isKnown = true;
  const digestOfText = remembering(REMEMBERED, (text) => {
    isKnown = false;
    const { folder, ...expectation } = JSON.parse(text) as Digested & { readonly folder: string };
    return graderDigest(expectation, folder, contents);
  });
  const sharesPart = partsInCommon();
  const repeats = repeating();
  return ({ expectations, directory }) =>
    expectations.map((expectation) => {
      const { type, config, negate, threshold, afterLine, directory: own } = expectation;
      if (sharesPart(type, config) || !repeats.mayBe(type))
        return digests.numberOf(graderDigest(expectation, directory, contents));
      const digested = { type, config, negate, threshold, afterLine, directory: own, folder: directory };
      isKnown = true;
      const digest = digestOfText(JSON.stringify(digested));
      repeats.tell(type, isKnown);
      return digests.numberOf(digest);
    });
}

const REMEMBERED = 64;

/** The part of an expectation that its digest covers. */
type Digested = Pick<Expectation, 'type' | 'config' | 'negate' | 'threshold' | 'afterLine' | 'directory'>;

/** The prompt for a model that plays the user of a stored case. */
export function userPromptOf({ digest, user }: Pick<TestCase, 'digest' | 'user'>): string | undefined {
  return digest === undefined || user?.type !== 'simulated' ? undefined : simulatorPrompt(user);
}

/** Further settings that decide an outcome, such as the threshold. Most cases of a suite share them. */
export function termsOf(testCase: TestCase): string {
  const { threshold, expectedFail, impossible, skip, dependsOn, expectations } = testCase;
  const terms = { threshold, expectedFail, impossible, skip, dependsOn };
  return JSON.stringify({
    ...terms,
    expectations: expectations.map(({ name, weight, required }) => [name, weight, required]),
  });
}

/** Whether two cases certainly have the same terms, without serialising them. */
function haveSameTerms(one: TestCase, other: TestCase): boolean {
  return (
    one.threshold === other.threshold &&
    one.expectedFail === other.expectedFail &&
    one.impossible === other.impossible &&
    one.skip === other.skip &&
    one.dependsOn === other.dependsOn &&
    one.expectations.length === other.expectations.length &&
    one.expectations.every(({ name, weight, required }, index) => {
      const its = other.expectations[index];
      return name === its?.name && weight === its.weight && required === its.required;
    })
  );
}

function caseDigest(testCase: TestCase, contents: Contents): string {
  const { contentOf, worldsByTool } = contents;
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
    worlds: worldsOf(testCase, worldsByTool),
    workspace: workspace && workspaceContent(workspace, testCase.directory, contents),
  });
}

function graderDigest(expectation: Digested, caseDirectory: string, contents: Contents): string {
  const { type, negate, threshold, afterLine } = expectation;
  const plugin = contents.graders.get(type);
  const directory = expectation.directory ?? caseDirectory;
  const judges = judgesOf(withMembers(expectation, contents.graders));
  const files = filesThatDecide(expectation.config, plugin);
  return sha256(
    contents.write({
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
    }),
  );
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
