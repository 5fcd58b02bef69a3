import * as z from 'zod';

import { given } from '../../lib/given.ts';
import { isObject, type JsonObject } from '../../lib/json.ts';
import { withUnstorable } from '../stored/unstorable.ts';
import { check } from '../yaml/check.ts';
import { fault, type Fault } from '../yaml/fault.ts';
import { isStoredRun } from './references.ts';
import { agentConfigFaults } from './stored-agent-config.ts';
import type { AgentPlace } from './store-rules.ts';

/** An agent as a person gives it to the store. */
export interface StoredAgent {
  /** In runs it is the name of the target. */
  readonly name: string;
  readonly description?: string;
  /** A target as in the config, without what only a config may have. */
  readonly config: JsonObject;
  /** About this version. */
  readonly note?: string;
}

const body = z.strictObject({
  name: z.string(),
  description: z.string().optional(),
  config: z.looseObject({}),
  note: z.string().optional(),
});

/** Checks an agent; all problems at their paths. That its name is free in the store is for the store to know. */
export function checkStoredAgent(
  value: unknown,
  place: AgentPlace,
): { readonly agent?: StoredAgent; readonly faults: readonly Fault[] } {
  const checked = check(body, value);
  const { name, config } = isObject(value) ? value : {};
  const faults = withUnstorable(value, [
    ...(checked.faults ?? []),
    ...(typeof name === 'string' ? nameFaults(name, place.targets) : []),
    ...(isObject(config) ? agentConfigFaults(config, place) : []),
  ]);
  if (checked.value === undefined || faults.length > 0) return { faults };
  const { description, note } = checked.value;
  const agent = {
    name: checked.value.name,
    config: checked.value.config as JsonObject,
    ...given({ description, note }),
  };
  return { agent, faults };
}

function nameFaults(name: string, targets: readonly string[]): readonly Fault[] {
  const refuse = (message: string, hint = 'choose another name'): readonly Fault[] => [
    fault('agent-name', `name: ${message}`, { path: ['name'], hint }),
  ];
  if (name.trim() === '') return refuse('is blank');
  if (name.trim() !== name)
    return refuse('begins or ends with a space', `write ${JSON.stringify(name.trim())}`);
  const [forbidden] = FORBIDDEN.exec(name) ?? [];
  if (forbidden !== undefined) return refuse(`must not contain ${shown(forbidden)}`);
  if (isStoredRun(name)) return refuse('`replay:` stands for the answers of a stored run');
  return nameTaken(name, targets);
}

/** The problem of an agent with the name of a target of the config: a run could not tell them apart. */
export function nameTaken(name: string, targets: readonly string[]): readonly Fault[] {
  if (!targets.includes(name)) return [];
  const message = `name: the config has a target called ${JSON.stringify(name)}`;
  return [fault('agent-name', message, { path: ['name'], hint: 'choose another name' })];
}

/** `RUN#TARGET` and `NAME@VERSION` are taken apart at these; the others cannot be seen, or turn text around. */
const FORBIDDEN = /[#@\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

function shown(character: string): string {
  if (/[#@]/.test(character)) return `\`${character}\``;
  return `the control character U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
}
