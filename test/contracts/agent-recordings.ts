import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { describe, expect, test } from 'vitest';

import type { ErrorKind } from '../../src/core/error-code.ts';
import { textOf } from '../../src/core/message.ts';
import type { Yielded } from '../../src/core/target.ts';
import { isAnswer, tokensOf, type Effect, type ToolCallEntry } from '../../src/core/transcript.ts';
import { addUsage, type Usage } from '../../src/core/usage.ts';
import { jsonEqual, type JsonObject } from '../../src/lib/json.ts';
import type { AgentAdapter, AgentExit, AgentTurn } from '../../src/targets/coding-agent/adapter.ts';
import type { AgentConfig } from '../../src/targets/coding-agent/agent-config.ts';
import { failureError } from '../../src/targets/coding-agent/outcome.ts';
import { toolEffects } from '../../src/targets/coding-agent/tool-effects.ts';
import { turnReader, type TurnState } from '../../src/targets/coding-agent/turn-reader.ts';

/** Where the recordings were made. */
const PLACE = { workspace: '/workspace/project', home: '/home/agent' };

/** Runs an adapter's parser over every recording in its fixtures and compares all that `expected.json` tells. */
export function agentRecordings<Config extends AgentConfig>(
  adapter: AgentAdapter<Config>,
  fixtures: string,
  turnOf: TurnOf<Config> = () => undefined,
): void {
  for (const version of readdirSync(fixtures)) {
    const folder = join(fixtures, version);
    const scenarios = readdirSync(folder)
      .filter((name) => name.endsWith('.expected.json'))
      .map((name) => name.slice(0, -'.expected.json'.length));
    describe(`${adapter.type} ${version}`, () => {
      test.each(scenarios)('reads the recording %s as it should be read', (scenario) => {
        const expected = expectedOf(folder, scenario);
        const replay = replayed(adapter, folder, scenario, turnOf);
        const derived = derivedFrom(replay);
        const told = Object.entries(expected).filter(
          ([key, value]) => !NOT_COMPARED.has(key) && value !== null,
        );
        const also = isMapping(expected['alsoAcceptable']) ? expected['alsoAcceptable'] : {};
        const got = told.map(([key, value]) => {
          const other = key in also ? onlyTold(derived[key], normalized(key, also[key])) : undefined;
          const isOther = key in also && jsonEqual(other, normalized(key, also[key]));
          return [key, isOther ? value : onlyTold(derived[key], normalized(key, value))];
        });
        const wanted = told.map(([key, value], i) => [
          key,
          got[i]?.[1] === value ? value : normalized(key, value),
        ]);
        expect(Object.fromEntries(got)).toEqual(Object.fromEntries(wanted));
        expect([...replay.state.unknown.keys()]).toEqual([]);
      });
    });
  }
}

/** What the file tells, and what the name of the scenario tells of a failure that the file leaves out. */
function expectedOf(folder: string, scenario: string): Mapping {
  const told = readJson(join(folder, `${scenario}.expected.json`));
  return told['terminal'] === 'error' ? { failure: failureNamed(scenario), ...told } : told;
}

/** What a provider that answered like this, or hung up, comes to; null: the name does not say. */
function failureNamed(scenario: string): Failure | null {
  if (scenario.startsWith('dropped')) return { kind: 'target-unavailable', detail: null };
  const status = Number(/^error-(\d{3})/.exec(scenario)?.[1]);
  if (status === 401) return { kind: 'http-error', detail: 'credentials-rejected' };
  if (status === 404) return { kind: 'model-rejected', detail: null };
  return status > 0 ? { kind: 'http-error', detail: `http-${status}` } : null;
}

/** As it stands on the row of the attempt. */
interface Failure {
  readonly kind: ErrorKind;
  /** Null: not compared. */
  readonly detail: string | null;
}

function failureIn({ terminal, abandon }: TurnState): Failure | undefined {
  const said = abandon ?? (terminal?.ok === false ? terminal.failure : undefined);
  if (said === undefined) return undefined;
  const agent = { target: 'x', program: 'x', triedVersions: [], credentialsHint: 'x' };
  const { kind, detail = null } = failureError(said, agent);
  return { kind, detail };
}

/** Told for people, or raw material that the compared keys were made of. */
const NOT_COMPARED = new Set([
  '_why',
  'sources',
  'alsoAcceptable',
  'usageReported',
  'fromSession',
  'permissionRequests',
  'stopReason',
]);

/** What a program that is talked to was told in a recording. */
export type TurnOf<Config extends AgentConfig> = (
  folder: string,
  scenario: string,
) => AgentTurn<Config> | undefined;

export interface Replay {
  readonly entries: readonly Yielded[];
  readonly state: TurnState;
  /** What the adapter would have said to the program. */
  readonly sent: readonly JsonObject[];
}

/** All that the adapter makes of one recording. */
export function replayed<Config extends AgentConfig>(
  adapter: AgentAdapter<Config>,
  folder: string,
  scenario: string,
  turnOf: TurnOf<Config> = () => undefined,
): Replay {
  const runs = readJson(join(folder, 'command.json'))['runs'];
  const run = isMapping(runs) && isMapping(runs[scenario]) ? runs[scenario] : {};
  const continued = run['continues'];
  const before = typeof continued === 'string' ? replayed(adapter, folder, continued).entries : [];
  const usage = usageIn(before);
  const turn = turnOf(folder, scenario);
  const parser = adapter.parser({
    ...(turn === undefined ? {} : { turn }),
    effectsOf: toolEffects(adapter.tools, PLACE),
    earlier: {
      ...(before.length === 0 ? {} : { turns: 1 }),
      ...(usage === undefined ? {} : { usage }),
    },
  });
  const reader = turnReader(parser);
  const lines = readFileSync(join(folder, `${scenario}.stdout.jsonl`), 'utf8').split('\n');
  const sent = [...(parser.opening ?? [])];
  const entries = lines.flatMap((line) => {
    const read = reader.line(line);
    sent.push(...reader.takeMessages());
    return read;
  });
  entries.push(...reader.end(exitOf(run, join(folder, scenario))));
  return { entries, state: reader.state(), sent };
}

function exitOf(run: Mapping, path: string): AgentExit {
  const exit = isMapping(run['exit']) ? run['exit'] : {};
  const files: Record<string, string> = {};
  for (const [suffix, name] of Object.entries(LEFT)) {
    if (existsSync(path + suffix)) files[name] = readFileSync(path + suffix, 'utf8');
  }
  return {
    exitCode: typeof exit['code'] === 'number' ? exit['code'] : exit['signal'] == null ? 0 : null,
    signal: typeof exit['signal'] === 'string' ? exit['signal'] : null,
    stderr: typeof run['stderr'] === 'string' ? run['stderr'] : '',
    files,
  };
}

/** Recorded files beside stdout, by the names that `leaves` gives them. */
const LEFT = {
  '.rollout.jsonl': 'session.jsonl',
  '.events.jsonl': 'session.jsonl',
  '.usage.json': 'usage.json',
};

function derivedFrom({ entries, state }: Replay): Mapping {
  const calls = entries.filter((entry): entry is Yielded & ToolCallEntry => entry.type === 'tool-call');
  const results = entries.filter((entry) => entry.type === 'tool-result');
  const failed = new Set(results.flatMap((entry) => (entry.failed === true ? [entry.callId] : [])));
  const effects: readonly Effect[] = calls.flatMap((call) => call.effects ?? []);
  const kept: readonly Effect[] = calls.flatMap((call) =>
    failed.has(call.callId) ? [] : (call.effects ?? []),
  );
  const answers = entries.filter(isAnswer).map(({ parts }) => textOf(parts));
  const { terminal } = state;
  const usage = usageIn(entries);
  return {
    commands: effects.flatMap((effect) => ('command' in effect ? [effect.command] : [])),
    fileReads: kept.flatMap((effect) => ('fileRead' in effect ? [effect.fileRead] : [])),
    skills: kept.flatMap((effect) =>
      'skillUse' in effect && effect.confidence !== 'medium' && effect.confidence !== 'weak'
        ? [{ name: effect.skillUse, confidence: effect.confidence }]
        : [],
    ),
    toolCalls: calls.map(({ name, input }) => ({ name, input })),
    toolResults: results.map((entry) => ({ isError: entry.failed === true })),
    finalOutput: answers.at(-1) ?? '',
    messages: answers,
    thinking: entries.flatMap((entry) =>
      entry.type === 'message' && entry.phase === 'thinking' ? [textOf(entry.parts)] : [],
    ),
    terminal: terminal === undefined ? 'missing' : terminal.ok ? 'ok' : 'error',
    failure: failureIn(state),
    errorMessage: terminal?.ok === false ? terminal.failure.message : undefined,
    sessionId: state.sessionId,
    usage: usage && {
      inputUncached: usage.inputTokens - (usage.cacheReadTokens ?? 0) - (usage.cacheWriteTokens ?? 0),
      cacheRead: usage.cacheReadTokens,
      cacheWrite: usage.cacheWriteTokens,
      output: usage.outputTokens,
      reasoning: usage.reasoningTokens,
    },
  };
}

function usageIn(entries: readonly Yielded[]): Usage | undefined {
  let sum: Usage | undefined;
  for (const entry of entries) {
    const tokens = entry.type === 'usage' && entry.auxiliary !== true ? tokensOf(entry) : undefined;
    if (tokens !== undefined) sum = addUsage(sum, tokens);
  }
  return sum;
}

type Mapping = Readonly<Record<string, unknown>>;

/** Paths absolute; of tool results only the failure, for exit codes stand in outputs. */
function normalized(key: string, value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  if (key === 'toolCalls') return value.map(({ name, input }: Mapping) => ({ name, input }));
  if (key === 'fileReads') return value.map((path: string) => resolve(PLACE.workspace, path));
  if (key !== 'toolResults') return value;
  return value.map((result: { readonly isError?: boolean | null; readonly exitCode?: number | null }) => ({
    isError: result.isError === true || (result.exitCode ?? 0) !== 0,
  }));
}

/** Numbers that the expectation leaves open (null) are not compared. */
function onlyTold(got: unknown, wanted: unknown): unknown {
  if (Array.isArray(got) && Array.isArray(wanted)) {
    return got.map((item: unknown, i) => (isMapping(wanted[i]) ? withoutOpen(item, wanted[i]) : item));
  }
  if (!isMapping(wanted)) return got;
  if (!isMapping(got))
    return (
      got ??
      Object.fromEntries(
        Object.keys(wanted).map((key) => [
          key,
          wanted[key] === 0 ? 0 : wanted[key] === null ? null : undefined,
        ]),
      )
    );
  return Object.fromEntries(Object.keys(wanted).map((key) => [key, wanted[key] === null ? null : got[key]]));
}

function withoutOpen(got: unknown, wanted: Mapping): unknown {
  if (!isMapping(got)) return got;
  return Object.fromEntries(
    Object.entries(got).map(([key, value]) => [key, wanted[key] === null ? null : value]),
  );
}

function isMapping(value: unknown): value is Mapping {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function readJson(path: string): Mapping {
  return JSON.parse(readFileSync(path, 'utf8')) as Mapping;
}
