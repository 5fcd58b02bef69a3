import type { AgentExit, AgentFailure } from '../coding-agent/adapter.ts';
import { loginFailure, saidFailure } from '../coding-agent/said-failure.ts';
import { given } from '../../lib/given.ts';

/** Converts an error. Most texts have no status of the provider, but the exit code has. */
export function failureOf(message: string, exitCode: number | null): AgentFailure {
  if (exitCode === MISSING_CREDENTIALS) return loginFailure(message);
  const status = statusIn(message) ?? STATUS_OF_EXIT.get(exitCode ?? 0);
  const isReal = status === 404 || (exitCode === 1 && /\b404\b/.test(message));
  if (isReal) return { kind: 'model-rejected', status: 404, message };
  if (MISSING_MODEL.test(message)) {
    return { kind: 'model-rejected', message, ...given({ status }) };
  }
  return saidFailure(message, status);
}

/** Reads the failure from stderr of a program that ended without a result. */
export function failureInStderr({ exitCode, stderr }: AgentExit): AgentFailure | undefined {
  const message = stderr.trim();
  if (exitCode === MISSING_CREDENTIALS || STATUS_OF_EXIT.has(exitCode ?? 0)) {
    return failureOf(message === '' ? meaningOf(exitCode) : message, exitCode);
  }
  return /\bModelNotFoundError\b/.test(message) ? { kind: 'model-rejected', message } : undefined;
}

function meaningOf(exitCode: number | null): string {
  const status = STATUS_OF_EXIT.get(exitCode ?? 0);
  const meaning = status === undefined ? 'missing credentials' : `HTTP status ${status}`;
  return `the agent ended with exit code ${exitCode}, which means ${meaning}`;
}

/** The provider calls a model an entity; agents also miss tools and sessions. */
const MISSING_MODEL =
  /\bmodels?\b[^\n]{0,120}\b(?:not found|does not exist)\b|\brequested entity was not found\b/i;

const MISSING_CREDENTIALS = 41;

/** The exit code is the status modulo 256. */
const STATUS_OF_EXIT: ReadonlyMap<number, number> = new Map(
  [400, 401, 403, 404, 408, 413, 429, 500, 502, 503, 504].map((status) => [status % 256, status]),
);

function statusIn(message: string): number | undefined {
  const [, written] = /"code":\s*([45]\d\d)\b|\bstatus:? ([45]\d\d)\b/.exec(message) ?? [];
  return written === undefined ? undefined : Number(written);
}
