import type { AgentFailure, Reading } from './adapter.ts';

/** Converts the error text of an agent: first by the status of the provider, then by words about a lost connection. */
export function saidFailure(message: string, status?: number): AgentFailure {
  if (status !== undefined) return { kind: 'http-error', status, message };
  return { kind: NETWORK.test(message) ? 'target-unavailable' : 'runner-crash', message };
}

/** The end of a turn with this failure; without one, nothing is said of its end. */
export function failedTurn(failure: AgentFailure | undefined): Reading {
  return failure === undefined ? {} : { terminal: { ok: false, failure } };
}

/** The failure of a program without valid credentials. */
export function loginFailure(message: string): AgentFailure {
  return { kind: 'http-error', rejectsCredentials: true, message };
}

const NETWORK =
  /\b(ECONN\w+|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EPIPE|UND_ERR_\w+)\b|fetch failed|unable to connect|connection error|socket hang up|other side closed|network error|^\[API Error: terminated\]/i;
