import type { TurnEnd, Yielded } from '../../core/target.ts';
import type { AgentTurn } from './adapter.ts';
import { environmentOf, homeOf, type AgentSession } from './agent-session.ts';
import { readLeft } from './left-files.ts';
import { outcomeOf, type NamedAgent } from './outcome.ts';
import type { TurnRun } from './run-turn.ts';
import type { Memory } from './session-memory.ts';
import type { TurnReader, TurnState } from './turn-reader.ts';
import { given } from '../../lib/given.ts';

export interface Finished {
  readonly run: TurnRun;
  readonly reader: TurnReader;
  readonly turn: AgentTurn;
  readonly memory: Memory;
}

/** Reads the files that the agent left, and saves them as artifacts. */
export async function keepLeft(
  session: AgentSession,
  { reader, turn, memory }: Pick<Finished, 'reader' | 'turn' | 'memory'>,
): Promise<Readonly<Record<string, string>>> {
  const { adapter, home, world } = session;
  const { scratch } = home.folders;
  const { directory } = turn;
  const place = {
    home: homeOf(session),
    variables: environmentOf(session, {}),
    scratch,
    directory,
    sessionId: sessionIdOf(reader, turn),
  };
  const files = await readLeft(adapter.leaves?.(place) ?? []);
  for (const [name, content] of Object.entries(files)) {
    await world.artifacts.write(numbered(name, memory.turn), content);
  }
  return files;
}

function sessionIdOf(reader: TurnReader, turn: Pick<AgentTurn, 'sessionId' | 'resume'>): string {
  return reader.state().sessionId ?? turn.resume ?? turn.sessionId;
}

/** Reads the files that the agent left, and decides whether the turn was measured. */
export async function* finished(
  session: AgentSession,
  { run, reader, turn, memory }: Finished,
): AsyncGenerator<Yielded, TurnEnd> {
  const { agent } = session;
  const sessionId = sessionIdOf(reader, turn);
  const reading = await keepLeft(session, { reader, turn, memory }).then(
    (found) => ({ files: found }),
    (error: unknown) => ({ files: {}, error }),
  );
  const { files } = reading;
  yield* reader.end({ ...run.exit, files });
  const state: TurnState = { ...reader.state(), ...(run.settled === undefined ? {} : run.settled) };
  const failure = outcomeOf(state, run.exit, { ...agent, version: state.version ?? agent.version });
  if (failure !== undefined) throw failure;
  if ('error' in reading) throw reading.error;
  memory.resume = sessionId;
  const notes = [...state.notes, ...notesOf(run, state, agent)];
  return {
    sessionId,
    artifacts: [...run.logs, ...Object.keys(files).map((name) => numbered(name, memory.turn))],
    ...given({ steps: state.steps }),
    ...(notes.length === 0 ? {} : { notes }),
    ...(state.unknown.size === 0 ? {} : { unknownEvents: Object.fromEntries(state.unknown) }),
  };
}

function notesOf({ strays, settled }: TurnRun, { unknown }: TurnState, agent: NamedAgent): readonly string[] {
  const kinds = [...unknown].map(([kind, count]) => `${kind} (${count})`).join(', ');
  return [
    ...(settled === undefined ? [] : [settled.note]),
    ...(strays === 0 ? [] : [straysNote(agent, strays)]),
    ...(kinds === '' ? [] : [`${agent.program} printed unknown events: ${kinds}`]),
  ];
}

/** A note about processes that had left the agent's process group. */
export function straysNote({ program }: Pick<NamedAgent, 'program'>, strays: number): string {
  return strays === 1
    ? `${program} left a process running, which was ended`
    : `${program} left ${strays} processes running, which were ended`;
}

function numbered(name: string, turn: number): string {
  return turn === 1 ? name : name.replace(/(?=\.[^.]*$)/, `-${turn}`);
}
