import { MeasurementError, messageOf } from '../core/errors.ts';
import type { ModelAnswer, ModelDoor, ModelRequest } from '../core/model.ts';
import { digestOf } from '../lib/digest.ts';
import type { JsonObject } from '../lib/json.ts';
import { STAGES } from './call-error.ts';
import { openCassetteFiles, type CassetteFiles } from './cassette-files.ts';
import { nearestEntry } from './nearest-entry.ts';

/**
 * record: every call is live and recorded. replay: no call is live. auto: a usable recorded answer replaces a live
 * call.
 */
export type CassetteMode = 'record' | 'replay' | 'auto';

export interface CassetteOptions {
  /** Absolute. */
  readonly directory: string;
  readonly mode: CassetteMode;
  /** Removes secrets from everything that is written. */
  readonly redact: <T>(value: T) => T;
}

/** Wraps a model client: records its answers, or replays recorded ones. The key is the whole request. */
export function withCassette(door: ModelDoor, options: CassetteOptions): ModelDoor {
  const files = openCassetteFiles(options.directory);
  let misses = 0;
  return {
    ...door,
    async ask(request, signal) {
      signal.throwIfAborted();
      // The key is computed from the written form, so that a secret of this machine does not change it.
      const asked = options.redact(recordedRequest(request));
      const key = digestOf(asked);
      const found = options.mode === 'record' ? undefined : await readOrThrow(files, { key, asked, request });
      const replayed = found && { ...found, costUsd: 0, durationMs: 0, waitedMs: 0, requests: 0 };
      // Failures are not recorded, because they may be temporary and would be replayed for ever.
      const isSpoilt =
        options.mode === 'auto' && replayed !== undefined && request.isUsable?.(replayed) === false;
      if (replayed !== undefined && !isSpoilt) {
        request.pulse?.();
        return replayed;
      }
      if (options.mode === 'replay') {
        const instead = ++misses > MOST_EXPLAINED ? OTHERS_TELL : await nearestText(files, asked);
        throw miss(files, request, instead);
      }
      const answer = await door.ask(request, signal);
      const { durationMs: _, waitedMs: __, requests: ___, ...kept } = answer;
      await files.write({ key, request: asked, answer: options.redact(kept) as unknown as JsonObject });
      return answer;
    },
  };
}

/** Everything that can change the answer, without how and for whom it is asked. */
export function recordedRequest(request: ModelRequest): JsonObject {
  const { model, baseUrl, temperature, maxOutputTokens, schema, tools, messages, embed } = request;
  const { repetition = 1, sample = 1 } = request;
  const all = {
    model,
    baseUrl,
    repetition,
    sample,
    temperature,
    maxOutputTokens,
    messages,
    tools,
    schema,
    embed,
  };
  return JSON.parse(JSON.stringify(all)) as JsonObject;
}

type KeptAnswer = Omit<ModelAnswer, 'durationMs' | 'waitedMs' | 'requests'>;

interface Looked {
  readonly key: string;
  readonly asked: JsonObject;
  readonly request: ModelRequest;
}

async function readOrThrow(
  files: CassetteFiles,
  { key, asked, request }: Looked,
): Promise<KeptAnswer | undefined> {
  try {
    return (await files.read(asked, key))?.answer as KeptAnswer | undefined;
  } catch (error) {
    throw new MeasurementError(`the cassette cannot be read: ${messageOf(error)}`, {
      stage: STAGES[request.role],
      kind: 'target-unavailable',
      detail: 'cassette-broken',
      hint: 'restore the file, or remove it and record it again',
      cause: error,
    });
  }
}

/** Maximum number of misses that describe the nearest recording, because each must read the whole cassette. */
const MOST_EXPLAINED = 20;

const OTHERS_TELL = `the first ${MOST_EXPLAINED} of these errors show the nearest recorded request`;

async function nearestText(files: CassetteFiles, asked: JsonObject): Promise<string> {
  const nearest = await nearestEntry(asked, files.all());
  if (nearest === undefined) return 'the cassette is empty';
  const differences = nearest.differences.map((line) => `  ${line}`).join('\n');
  return `the nearest recorded request is ${nearest.file}, which differs in\n${differences}`;
}

function miss(
  { directory }: CassetteFiles,
  { model, role }: ModelRequest,
  instead: string,
): MeasurementError {
  return new MeasurementError(`no recorded answer for ${model} in the cassette ${directory}: ${instead}`, {
    stage: STAGES[role],
    kind: 'target-unavailable',
    detail: 'cassette-miss',
    hint: 'record it with `--mode record`, or use `--mode auto` to record only missing answers',
  });
}
