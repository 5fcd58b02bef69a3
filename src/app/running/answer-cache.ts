import { createHmac } from 'node:crypto';
import { join } from 'node:path';

import type { AnsweredTrial, KeptAnswer, KeptAnswers } from '../../core/kept-answer.ts';
import type { TestCase } from '../../core/test-case.ts';
import { makePrivateFolder } from '../../lib/files/private-folder.ts';
import { keepSigned, projectCache, readSigned, type Sign } from '../../lib/files/project-cache.ts';
import { isObject } from '../../lib/json.ts';
import { signingKey } from '../../lib/modules/signing-key.ts';
import type { Redactor } from '../../lib/redact/redact.ts';
import type { BoundRun } from '../binding/bind.ts';
import { answerNames } from '../binding/answer-names.ts';

/** Raised when an answer of an earlier version would be misread. */
const FORMAT = 1;

export interface AnswerCacheOptions {
  /** The run whose answers are not used: a trial that it runs again asks the agent again. */
  readonly exceptRun: string | undefined;
  readonly bound: BoundRun;
  readonly redactor: Pick<Redactor, 'json'>;
  readonly warn: (text: string) => void;
  /** Ends the programs that are asked for their versions. */
  readonly signal: AbortSignal;
  /** The secret that signs kept files. Default: the key of this account. */
  readonly key?: Buffer | undefined;
}

/**
 * The answers that agents gave in earlier runs, in `.assay/cache/answers` of the project. Each is found by the input of
 * its case, its target and its repetition. Undefined when the run asks for no cache.
 */
export async function answerCache({
  bound,
  redactor,
  warn,
  signal,
  exceptRun,
  key = signingKey(),
}: AnswerCacheOptions): Promise<KeptAnswers | undefined> {
  if ((bound.spec.options.cache ?? bound.machine.run.cache) !== true) return undefined;
  const folder = key && answersFolder(bound.machine.loaded.directory);
  if (key === undefined || folder === undefined) {
    warn('answers are not cached: .assay/cache must be a folder that only your account can use (chmod 700)');
    return undefined;
  }
  const tell = onceOf(warn);
  const nameOf = await answerNames(bound, { key, signal });
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
      return answer?.from.runId === exceptRun ? undefined : answer;
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
  };
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
