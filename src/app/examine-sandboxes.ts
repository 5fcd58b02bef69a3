import { ISOLATION_LEVELS, type IsolationLevel } from '../core/isolation-level.ts';
import type { SandboxPlace } from '../core/sandbox.ts';
import { given } from '../lib/given.ts';
import { printableLine } from '../lib/text/printable-json.ts';
import { plural } from '../lib/text/plural.ts';
import { openSandbox } from '../sandboxes/open-sandbox.ts';
import { ESCAPES, NEEDS } from '../sandboxes/probes.ts';
import { sandboxFault } from '../sandboxes/sandbox-fault.ts';
import { tryContainer } from '../sandboxes/try-container.ts';
import { trySandbox, type Tried } from '../sandboxes/try-sandbox.ts';
import type { Unavailable } from '../sandboxes/unavailable.ts';
import type { Surroundings } from './surroundings.ts';

/** What a level is worth on this machine. */
export interface ExaminedLevel {
  readonly level: IsolationLevel;
  readonly state: 'ok' | 'unavailable' | 'broken';
  /** Why it is not available. */
  readonly why?: string;
  readonly hint?: string;
  /** What an agent can do at this level, in words. */
  readonly escapes: readonly string[];
  /** What an agent needs and cannot do. */
  readonly missing: readonly string[];
}

/** Tries every level on this machine. It is sound if every level holds, apart from `process`. A machine needs no engine of containers. */
export async function examineSandboxes(
  form: 'text' | 'json',
  { cwd, environment }: Surroundings,
  signal: AbortSignal,
): Promise<{ readonly text: string; readonly isSound: boolean }> {
  const place = { directory: cwd, operatorEnvironment: environment };
  const levels: ExaminedLevel[] = [];
  for (const level of ISOLATION_LEVELS) {
    levels.push(await examined(level, place, signal));
    signal.throwIfAborted();
  }
  const text = form === 'json' ? printableLine(levels, 2) : levels.map(described).join('');
  return { text, isSound: levels.every(isSound) };
}

function isSound({ level, state }: ExaminedLevel): boolean {
  return state === 'ok' || (state === 'unavailable' && level === 'container');
}

async function examined(
  level: IsolationLevel,
  place: SandboxPlace,
  signal: AbortSignal,
): Promise<ExaminedLevel> {
  const tried = await triedAt(level, place, signal);
  if ('why' in tried) return { level, state: 'unavailable', ...tried, escapes: [], missing: [] };
  const { escapes, missing, failure } = tried;
  const isOk = failure === undefined && missing.length === 0 && (level === 'process' || escapes.length === 0);
  return {
    level,
    state: isOk ? 'ok' : 'broken',
    ...given({ why: failure }),
    escapes: escapes.map((name) => ESCAPES[name as keyof typeof ESCAPES]),
    missing: missing.map((name) => NEEDS[name as keyof typeof NEEDS]),
  };
}

async function triedAt(
  level: IsolationLevel,
  place: SandboxPlace,
  signal: AbortSignal,
): Promise<Tried | Unavailable> {
  if (level === 'container') return await tryContainer({}, place, signal);
  const fault = await sandboxFault({ settings: { level }, place, isServer: false }, signal);
  if (fault !== undefined) return fault;
  const sandbox = openSandbox({ level }, place);
  const tried = await trySandbox(sandbox, place, signal);
  await sandbox[Symbol.asyncDispose]?.();
  return tried;
}

function described({ level, state, why, hint, escapes, missing }: ExaminedLevel): string {
  const count = Object.keys(ESCAPES).length;
  const held =
    state === 'unavailable'
      ? ''
      : `, an agent was kept from ${count - escapes.length} of ${plural(count, 'thing')}`;
  const lines = [
    `${level}: ${WORDS[state]}${held}`,
    ...(why === undefined ? [] : [`  ! ${why}`]),
    ...(hint === undefined ? [] : [`  - ${hint}`]),
    ...missing.map((what) => `  ! an agent cannot ${what}`),
    ...escapes.map((what) => `  ${state === 'ok' ? '-' : '!'} an agent can ${what}`),
  ];
  return `${lines.join('\n')}\n`;
}

const WORDS = { ok: 'ok', unavailable: 'not available', broken: 'does not hold' } as const;
