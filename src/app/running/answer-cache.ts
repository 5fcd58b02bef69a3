import { createHmac } from 'node:crypto';
import { join } from 'node:path';

import type { AnsweredTrial, KeptAnswer, KeptAnswers } from '../../core/kept-answer.ts';
import type { Message } from '../../core/message.ts';
import type { TestCase } from '../../core/test-case.ts';
import { digestOf } from '../../lib/digest.ts';
import { makePrivateFolder } from '../../lib/files/private-folder.ts';
import { keepSigned, projectCache, readSigned, type Sign } from '../../lib/files/project-cache.ts';
import { isObject } from '../../lib/json.ts';
import { signingKey } from '../../lib/modules/signing-key.ts';
import type { Redactor } from '../../lib/redact/redact.ts';
import type { BoundRun } from '../binding/bind.ts';
import { programFiles } from '../binding/program-files.ts';
import { settingsIn } from '../binding/trial-settings.ts';

/** Raised when an answer of an earlier version would be misread. */
const FORMAT = 1;

export interface AnswerCacheOptions {
  readonly bound: BoundRun;
  readonly redactor: Pick<Redactor, 'json'>;
  readonly warn: (text: string) => void;
  /** The secret that signs kept files. Default: the key of this account. */
  readonly key?: Buffer | undefined;
}

/**
 * The answers that agents gave in earlier runs, in `.assay/cache/answers` of the project. Each is found by the input of
 * its case, its target and its repetition. Undefined when the run asks for no cache.
 */
export function answerCache({ bound, redactor, warn, key = signingKey() }: AnswerCacheOptions) {
  if ((bound.spec.options.cache ?? bound.machine.run.cache) !== true) return undefined;
  const folder = key && answersFolder(bound.machine.loaded.directory);
  if (key === undefined || folder === undefined) {
    warn('answers are not cached: .assay/cache must be a folder that only your account can use (chmod 700)');
    return undefined;
  }
  const tell = onceOf(warn);
  const nameOf = namesIn(bound, key);
  const placeOf = (trial: AnsweredTrial, testCase: TestCase) => {
    const name = nameOf(trial, testCase);
    const sign: Sign = (content) => createHmac('sha256', key).update(`answer ${name} ${content}`).digest();
    return name === undefined ? undefined : { path: join(folder, `${name}.json`), sign };
  };
  return {
    find(trial, testCase) {
      const place = placeOf(trial, testCase);
      const content = place && readSigned(place.path, place.sign);
      if (content === undefined) return undefined;
      const answer = answerIn(content);
      if (answer === undefined) tell(DAMAGED);
      return answer;
    },
    keep(trial, testCase, answer) {
      const place = placeOf(trial, testCase);
      if (place === undefined) return;
      const text = JSON.stringify(answer);
      // Graders must see the same answer as the first time.
      if (JSON.stringify(redactor.json(answer)) !== text) return tell(SECRET);
      keepSigned(place.path, JSON.stringify({ format: FORMAT, answer }), place.sign);
    },
    leaveOut: ({ target }) =>
      tell(`${target}: answers are not cached when the agent changes files of its workspace`),
  } satisfies KeptAnswers as KeptAnswers;
}

const SECRET = 'answers that contain secrets are not cached';

const DAMAGED =
  'some cached answers are ignored and their agents asked again: they are damaged, or from another version or account';

function answersFolder(directory: string): string | undefined {
  return (
    projectCache(directory, 'answers') ??
    (makePrivateFolder(join(directory, '.assay')) ? projectCache(directory, 'answers') : undefined)
  );
}

function answerIn(content: string | null): KeptAnswer | undefined {
  if (content === null) return undefined;
  try {
    const kept: unknown = JSON.parse(content);
    if (!isObject(kept) || kept['format'] !== FORMAT) return undefined;
    return kept['answer'] as unknown as KeptAnswer;
  } catch {
    return undefined;
  }
}

function onceOf(warn: (text: string) => void): (text: string) => void {
  const told = new Set<string>();
  return (text) => {
    if (!told.has(text)) warn(text);
    told.add(text);
  };
}

/** The names of kept answers: keyed digests of what decides an answer. Undefined: the answer is not kept. */
function namesIn(
  bound: BoundRun,
  key: Buffer,
): (trial: AnsweredTrial, testCase: TestCase) => string | undefined {
  const { spec, use } = bound;
  const { loaded } = bound.machine;
  const settingsFor = settingsIn(bound);
  const targets = new Map(
    [...use.targets].map(([name, { plugin, settings, sandbox }]) => {
      const digest = spec.digests[spec.targets.find((target) => target.name === name)?.digest ?? -1];
      const { config, env, prompt, tools, mocks } = settings;
      const passed = (settings.passEnv ?? []).map((each) => [each, loaded.environment[each] ?? null]);
      const files = programFiles(config, loaded.directory);
      const asked = digestOf({ digest, config, env, prompt, tools, mocks, sandbox, passed, files });
      return [name, plugin.isFree === true ? undefined : asked] as const;
    }),
  );
  return (trial, testCase) => {
    const target = targets.get(trial.target);
    // The code of a suite can do more than to ask the agent.
    if (target === undefined || testCase.module !== undefined) return undefined;
    const { maxTurns, maxSteps, maxTokens, maxCostUsd } = settingsFor(testCase, trial.target).limits;
    const decides = {
      target,
      // Agents may be told the id.
      suite: trial.suite,
      caseId: trial.caseId,
      repetition: trial.repetition,
      // Which calls meet a fault depends on it.
      seed: testCase.faults === undefined ? undefined : spec.settings.seed,
      told: toldIn(testCase) ?? [trial.digests.case, trial.digests.mocks ?? -1].map((at) => spec.digests[at]),
      limits: { maxTurns, maxSteps, maxTokens, maxCostUsd },
      firstSpeaker: spec.options.firstSpeaker ?? 'user',
      user: testCase.user?.type === 'simulated' ? spec.user : undefined,
    };
    return createHmac('sha256', key).update(digestOf(decides)).digest('hex');
  };
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
