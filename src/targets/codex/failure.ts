import type { AgentFailure } from '../coding-agent/adapter.ts';
import { countAt } from '../coding-agent/fields.ts';
import { foreignObject } from '../../lib/text/json-depth.ts';
import { loginFailure, saidFailure } from '../coding-agent/said-failure.ts';

/** Converts an error of Codex by its text, which is all there is. */
export function failureOf(message: string): AgentFailure {
  if (NO_MODEL.test(message)) return { kind: 'model-rejected', message };
  if (NO_KEY.test(message)) return loginFailure(message);
  const status = statusIn(message);
  const isNetwork = status === undefined && NO_NETWORK.test(message);
  return isNetwork ? { kind: 'target-unavailable', message } : saidFailure(message, status);
}

const NO_MODEL = /model is not supported|404 Not Found/;
const NO_KEY = /Missing environment variable/;
const NO_NETWORK = /stream disconnected|waiting for network/;

function statusIn(message: string): number | undefined {
  const [, named] = /(?:unexpected status|last status:) (\d{3})\b/.exec(message) ?? [];
  if (named !== undefined) return Number(named);
  // Codex has this text for every status 500.
  if (/experiencing high demand/.test(message)) return 500;
  const body = foreignObject(message);
  // For status 400, only the body of the answer is printed.
  return body === undefined || !('error' in body) ? undefined : (countAt(body, 'status') ?? 400);
}
