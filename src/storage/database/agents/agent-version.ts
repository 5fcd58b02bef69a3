import { digestOf } from '../../../lib/digest.ts';
import type { JsonObject } from '../../../lib/json.ts';

/** What tells a version of an agent from another. */
export interface AgentVersion {
  /** From 1. */
  readonly version: number;
  /** sha-256 of the RFC 8785 JSON of its config. */
  readonly digest: string;
}

/** The version that a config makes over the newest one; undefined: it is equal to that, whatever the order of its keys. */
export function versionOver(head: AgentVersion | undefined, config: JsonObject): AgentVersion | undefined {
  const digest = digestOf(config);
  if (digest === head?.digest) return undefined;
  return { version: (head?.version ?? 0) + 1, digest };
}
