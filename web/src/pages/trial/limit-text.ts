import type { LimitMet } from '../../../../src/core/errors.ts';
import { costText, durationText } from '../../../../src/reading/phrases.ts';

/** `tokens: 100, reached 120`: the limit that ended a session. Times and costs have their units. */
export function limitText({ kind, ceiling, reached }: LimitMet): string {
  const { name, text } = LIMITS[kind];
  return `${name}: ${text(ceiling)}, reached ${text(reached)}`;
}

const moneyOf = (usd: number) => costText({ known: 1, knownUsd: usd, unknown: 0 });

const LIMITS = {
  timeout: { name: 'time', text: durationText },
  'idle-timeout': { name: 'time without output', text: durationText },
  'max-steps': { name: 'steps', text: String },
  'token-limit': { name: 'tokens', text: String },
  budget: { name: 'cost', text: moneyOf },
} as const;
