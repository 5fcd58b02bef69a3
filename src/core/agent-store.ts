import type { KeptHead, KeptWrite } from './kept-head.ts';
import type { SortedPage } from './list-sort.ts';
import type { JsonObject } from '../lib/json.ts';
import type { ToolMock } from './test-case.ts';

/** An agent as a store has it. Its parts are its versions and its mocks. */
export type KeptAgent = KeptHead;

/** Names a version of an agent. */
export interface AgentVersionId {
  /** Of the agent. */
  readonly id: string;
  readonly version: number;
}

/** A version of an agent; it never changes. */
export interface KeptAgentVersion {
  readonly agentId: string;
  /** From 1. */
  readonly version: number;
  /** A target as in a config. */
  readonly config: JsonObject;
  /** sha-256 of the RFC 8785 JSON of its config. */
  readonly digest: string;
  readonly note: string | null;
  /** Id of an account; null: nobody was signed in. */
  readonly createdBy: string | null;
  readonly createdAt: string;
}

/** The content of a new version. */
export type NewAgentVersion = Pick<KeptAgentVersion, 'config' | 'note' | 'createdBy'>;

export interface NewAgent extends NewAgentVersion, Pick<KeptAgent, 'name' | 'description'> {}

/** Absent keys stay. */
export interface AgentChange extends Partial<Pick<KeptAgent, 'description'>> {
  readonly isArchived?: boolean;
}

/** Agents with their versions and mocks. */
export interface AgentStore {
  list(page: SortedPage): Promise<readonly KeptAgent[]>;
  /** The agent with this id or exact name. */
  called(idOrName: string): Promise<KeptAgent | undefined>;
  /** Makes an agent with version 1. */
  create(agent: NewAgent): Promise<AgentCreation>;
  /** `expected`: its `updatedAt`, else it is stale; absent: any version. */
  change(id: string, change: AgentChange, expected?: string): Promise<AgentWrite>;
  /** At most `limit` versions, the newest first. `before`: only those before this one. */
  versions(
    id: string,
    page: { readonly limit: number; readonly before?: number | undefined },
  ): Promise<readonly KeptAgentVersion[]>;
  version(id: string, version: number): Promise<KeptAgentVersion | undefined>;
  /** Makes a version, unless its config is equal to that of the newest one, whatever the order of its keys. */
  addVersion(id: string, version: NewAgentVersion): Promise<AgentVersionWrite>;
  /** Its mocks in the order in which they are tried. */
  mocks(id: string): Promise<readonly ToolMock[]>;
  /** Replaces them; `expected` as of `change`. */
  replaceMocks(id: string, mocks: readonly ToolMock[], expected?: string): Promise<AgentWrite>;
}

/** `name-taken`: another agent has the name. */
export type AgentCreation =
  | { readonly outcome: 'written'; readonly agent: KeptAgent }
  | { readonly outcome: 'name-taken' };

export type AgentWrite = KeptWrite<'agent', KeptAgent>;

/** `unchanged`: the newest version has this config. `version` is the newest one. */
export type AgentVersionWrite =
  | {
      readonly outcome: 'written' | 'unchanged';
      readonly agent: KeptAgent;
      readonly version: KeptAgentVersion;
    }
  | { readonly outcome: 'unknown' };
