import type { AgentExit, AgentFailure } from '../coding-agent/adapter.ts';
import { loginFailure, saidFailure } from '../coding-agent/said-failure.ts';

/** Converts an error of a model; its text starts with the status of the answer. */
export function failureOf(message: string): AgentFailure {
  const [, digits] = /^\s*([45]\d{2})\b/.exec(message) ?? [];
  const status = digits === undefined ? undefined : Number(digits);
  if (status === 404) return { kind: 'model-rejected', status, message };
  // The whole text for a lost connection.
  if (message === 'terminated') return { kind: 'target-unavailable', message };
  return saidFailure(message, status);
}

/** Reads the failure from stderr of a program that did not start a session. */
export function startFailure({ exitCode, stderr }: AgentExit): AgentFailure | undefined {
  if (exitCode === 0) return undefined;
  const message = stderr.trim();
  if (/No API key/i.test(message)) return loginFailure(message);
  const isModel = /(model|provider) .{0,200}not found|unknown provider/i.test(message);
  return isModel ? { kind: 'model-rejected', message } : undefined;
}
