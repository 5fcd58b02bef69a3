import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import type { Installation } from '../../core/plugin.ts';
import type { AnsweredTrial } from '../../core/kept-answer.ts';
import type { Message } from '../../core/message.ts';
import type { ModelChoice } from '../../core/model.ts';
import type { TestCase } from '../../core/test-case.ts';
import { digestOf, sha256 } from '../../lib/digest.ts';
import { changeMark } from '../../lib/files/change-mark.ts';
import { realPath } from '../../lib/files/real-path.ts';
import { given } from '../../lib/given.ts';
import { parseModelName } from '../../models/model-name.ts';
import type { BoundRun } from './bind.ts';
import { configuredProviders } from './models.ts';
import type { UsedTarget } from './target-pool.ts';
import { handlersOf, mocksOf } from './tools-of-case.ts';
import { settingsIn } from './trial-settings.ts';
import { ownStatusAt } from '../../lib/files/file-status.ts';
import { wayWithin } from '../../lib/files/way-within.ts';
import { isObject, type JsonObject, type JsonValue } from '../../lib/json.ts';

/** The name of a kept answer: a keyed digest of what decides it. Undefined: the answer is not kept. */
export type NameOfAnswer = (trial: AnsweredTrial, testCase: TestCase) => string | undefined;

interface Naming {
  readonly key: Buffer;
  readonly signal: AbortSignal;
}

/** Asks each installed agent for its version, once. */
export async function answerNames(bound: BoundRun, { key, signal }: Naming): Promise<NameOfAnswer> {
  const { spec, use, machine } = bound;
  const settingsFor = settingsIn(bound);
  const player = playerOf(bound);
  const targets = new Map<string, string | undefined>();
  for (const [name, used] of use.targets) {
    const isFree = used.plugin.isFree === true;
    targets.set(name, isFree ? undefined : await targetDigest(used, { name, bound, signal }));
  }
  return (trial, testCase) => {
    const target = targets.get(trial.target);
    // The code of a suite can do more than to ask the agent.
    if (target === undefined || testCase.module !== undefined) return undefined;
    const { maxTurns, maxSteps, maxTokens, maxCostUsd } = settingsFor(testCase, trial.target).limits;
    const handlers = handlersOf({ mocks: mocksOf(use.targets.get(trial.target), testCase) });
    const decides = {
      target,
      // Agents may be told the id.
      suite: trial.suite,
      caseId: trial.caseId,
      repetition: trial.repetition,
      // Random numbers of a world depend on it, and which calls meet a fault.
      seed: handlers.length === 0 && testCase.faults === undefined ? undefined : spec.settings.seed,
      worlds: handlers.map((handler) => machine.worldsByTool.get(handler)?.digest),
      told: toldIn(testCase) ?? [trial.digests.case, trial.digests.mocks ?? -1].map((at) => spec.digests[at]),
      limits: { maxTurns, maxSteps, maxTokens, maxCostUsd },
      firstSpeaker: spec.options.firstSpeaker ?? 'user',
      user: testCase.user?.type === 'simulated' ? [spec.user, player] : undefined,
    };
    return createHmac('sha256', key).update(digestOf(decides)).digest('hex');
  };
}

interface Digesting {
  readonly name: string;
  readonly bound: BoundRun;
  readonly signal: AbortSignal;
}

/** Everything about a target that decides its answers, with the content of its files and its installed program. */
async function targetDigest(used: UsedTarget, { name, bound, signal }: Digesting): Promise<string> {
  const { spec, machine } = bound;
  const { settings, sandbox } = used;
  const { directory, environment } = machine.loaded;
  const digest = spec.digests[spec.targets.find((target) => target.name === name)?.digest ?? -1];
  const { config, env, prompt, tools, mocks } = settings;
  const passed = (settings.passEnv ?? []).map((each) => [each, environment[each] ?? null]);
  const files = programFiles(config, directory);
  const installed = await installedProgram(used, { name, directory, signal });
  const model = used.plugin.asModel?.(config, settings);
  const address = model && addressOf(model, machine);
  return digestOf({ digest, config, env, prompt, tools, mocks, sandbox, passed, files, installed, address });
}

/** The model that plays users, and how. */
function playerOf({ user, machine }: BoundRun): unknown {
  if (user?.type !== 'simulated') return undefined;
  const { choice, temperature, maxOutputTokens, audit } = user;
  return { model: choice.model, address: addressOf(choice, machine), temperature, maxOutputTokens, audit };
}

/** Where a model is asked, if the config says so. */
function addressOf({ model, baseUrl }: ModelChoice, { loaded }: BoundRun['machine']): string | undefined {
  return baseUrl ?? configuredProviders(loaded).providers[parseModelName(model)?.provider ?? '']?.baseUrl;
}

interface Installed {
  readonly name: string;
  readonly directory: string;
  readonly signal: AbortSignal;
}

/** The version that `assay doctor` shows, and the state of the program's file. */
async function installedProgram(
  { plugin, settings, environment, operatorEnvironment }: UsedTarget,
  { name, directory, signal }: Installed,
): Promise<readonly (string | undefined)[]> {
  const target = { name, config: settings.config, environment, ...given({ env: settings.env }) };
  const place = { directory, operatorEnvironment, target };
  const found: Installation | undefined = await plugin.inspect?.(place, signal);
  if (found === undefined) return [];
  const { path, version } = found;
  return [version, path && changeMark(realPath(path))];
}

/** What the agent of a simple case is told. Undefined when files or tools belong to it too: then all of the case counts. */
function toldIn(testCase: TestCase): unknown {
  const { input, user, vars, tools, mocks, faults, workspace, digest } = testCase;
  const isPlain = [tools, mocks, faults, workspace, digest].every((each) => each === undefined);
  const messages = user?.type === 'scripted' ? [...input, ...user.messages] : input;
  if (!isPlain || !messages.every(isText)) return undefined;
  return JSON.parse(JSON.stringify({ input, user, vars }));
}

function isText({ parts }: Pick<Message, 'parts'>): boolean {
  return parts.every((part) => 'text' in part || 'json' in part);
}

/**
 * Digests of the files that the commands and arguments of a target name, such as `./agent.mjs` of `node ./agent.mjs`:
 * those in the project and in its working directory.
 */
function programFiles(config: JsonObject, directory: string): readonly string[] {
  const { server, healthcheck } = config;
  const parts = [config, server, healthcheck].filter(isObject) as readonly JsonObject[];
  const words = parts.flatMap((part) => NAMING.flatMap((key) => wordsOf(part[key])));
  const folders = [
    directory,
    ...parts.flatMap(({ cwd }) => (typeof cwd === 'string' ? [resolve(directory, cwd)] : [])),
  ];
  const paths = folders.flatMap((folder) => words.map((word) => resolve(folder, word)));
  return [...new Set(paths)]
    .filter((path) => folders.some((folder) => wayWithin(folder, path) !== undefined))
    .filter((path) => ownStatusAt(path)?.isFile() === true)
    .map((path) => sha256(readFileSync(path)));
}

/** Keys of a target with words that may name files. */
const NAMING = ['command', 'commandArgs', 'args'] as const;

function wordsOf(command: JsonValue | undefined): readonly string[] {
  const texts = Array.isArray(command) ? command : [command];
  // Also within the text of a shell, and behind the name of an option.
  return texts.flatMap((text) => (typeof text === 'string' ? text.split(/[\s'"=;]+/) : [])).filter(Boolean);
}
