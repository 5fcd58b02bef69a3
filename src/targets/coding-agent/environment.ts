import { join } from 'node:path';

import type { TargetServices } from '../../core/plugin.ts';
import { given } from '../../lib/given.ts';
import { ATTEMPT_MARKER } from '../../lib/process/own-token.ts';
import type { AgentAdapter } from './adapter.ts';

/** The folders of a session for its variables; all absolute. */
export interface PrivateFolders {
  readonly home: string;
  readonly temporary: string;
  readonly scratch: string;
  /** Only for agents that share their cache within a run. */
  readonly cache?: string;
}

export interface EnvironmentRequest {
  readonly adapter: Pick<AgentAdapter, 'isolation' | 'inherited'>;
  readonly services: Pick<TargetServices, 'environment' | 'env' | 'operatorEnvironment'>;
  readonly folders: PrivateFolders;
  readonly inheritConfig: boolean;
  /** Variables of the adapter. */
  readonly launched: Readonly<Record<string, string>>;
}

/** The whole environment of an agent: allow-list and `passEnv`, then the adapter's variables, `env`, isolation. */
export function agentEnvironment(request: EnvironmentRequest): Record<string, string> {
  const { services, launched, inheritConfig } = request;
  const variables = {
    ...withoutAssay(services.environment),
    ...launched,
    ...services.env,
    ...(inheritConfig ? inherited(request) : privateSettings(request)),
    TMPDIR: request.folders.temporary,
    ...QUIET,
  };
  // For some agents an empty value differs from a missing variable.
  return Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''));
}

/** Variables that isolate the agent; they cannot be set in a config. */
export function isolationNames({ isolation }: Pick<AgentAdapter, 'isolation'>): readonly string[] {
  return [...SETTINGS, ...Object.keys(isolation ?? {}), 'TMPDIR', ATTEMPT_MARKER, ...Object.keys(QUIET)];
}

const SETTINGS = ['HOME', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME', 'XDG_CACHE_HOME'] as const;

const AUTHOR = { name: 'assay', email: 'assay@localhost' };

const QUIET = {
  TERM: 'dumb',
  NO_COLOR: '1',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_TERMINAL_PROMPT: '0',
  GIT_AUTHOR_NAME: AUTHOR.name,
  GIT_AUTHOR_EMAIL: AUTHOR.email,
  GIT_COMMITTER_NAME: AUTHOR.name,
  GIT_COMMITTER_EMAIL: AUTHOR.email,
};

/** Some agents need these folders to start; folders of XDG are created by the programs that use them. */
export function foldersOfHome(adapter: Pick<AgentAdapter, 'isolation'>): readonly string[] {
  return Object.values(adapter.isolation ?? {});
}

const XDG = {
  XDG_CONFIG_HOME: '.config',
  XDG_DATA_HOME: '.local/share',
  XDG_STATE_HOME: '.local/state',
  XDG_CACHE_HOME: '.cache',
};

function privateSettings({ adapter, folders }: EnvironmentRequest): Record<string, string> {
  const { home, cache } = folders;
  const below = Object.entries({ ...XDG, ...adapter.isolation }).map(([name, folder]) => [
    name,
    join(home, folder),
  ]);
  return {
    HOME: home,
    ...(Object.fromEntries(below) as Record<string, string>),
    ...given({ XDG_CACHE_HOME: cache }),
  };
}

function inherited({ adapter, services }: EnvironmentRequest): Record<string, string> {
  const names = [...SETTINGS, ...Object.keys(adapter.isolation ?? {}), ...(adapter.inherited ?? [])];
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = services.operatorEnvironment[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** The agent must not know that it is tested. */
function withoutAssay(environment: Readonly<Record<string, string>>): Record<string, string> {
  const { ASSAY_RUN_ID: _run, ASSAY_OUTPUT_DIR: _output, ...rest } = environment;
  return rest;
}
