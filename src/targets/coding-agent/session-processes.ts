import type { MeasurementError } from '../../core/errors.ts';
import type { Yielded } from '../../core/target.ts';
import type { AgentParser, ParserContext } from './adapter.ts';
import type { AgentSession } from './agent-session.ts';
import { straysNote } from './finish-turn.ts';
import { keptProcess, type KeptProcess } from './kept-process.ts';
import { outcomeOf } from './outcome.ts';
import type { StepBegan } from './session-memory.ts';
import { runTurn, type TurnProcess, type TurnRun } from './run-turn.ts';

/** The processes of a session: one per turn, or one for all. */
export interface SessionProcesses {
  /** Options of the next turn in the waiting process; undefined: no process waits. */
  nextParser(context: ParserContext): AgentParser | undefined;
  run(parser: AgentParser, turn: TurnProcess): AsyncGenerator<Yielded | StepBegan, TurnRun>;
  /** Ends the running process. Returns why turns that reported success were not measured. */
  end(): Promise<MeasurementError | undefined>;
}

interface Kept {
  readonly process: KeptProcess;
  readonly parser: AgentParser;
  readonly turn: TurnProcess;
}

export function sessionProcesses(
  { agent, world }: Pick<AgentSession, 'agent' | 'world'>,
  stop: AbortSignal,
): SessionProcesses {
  let running: Promise<unknown> = Promise.resolve();
  let kept: Kept | undefined;
  let asked: KeptProcess | undefined;
  let fault: MeasurementError | undefined;

  /** Also for a process that ended before its next message: its exit counts. */
  const letGo = async (): Promise<void> => {
    if (kept === undefined) return;
    const { process, turn } = kept;
    const exit = await process.end();
    if (process.strays() > 0) world.note?.(straysNote(agent, process.strays()));
    const state = turn.reader.state();
    if (exit !== undefined && state.terminal?.ok === true) fault ??= outcomeOf(state, exit, agent);
  };

  return {
    nextParser(context) {
      asked = kept?.process.waits() === true ? kept.process : undefined;
      return asked === undefined ? undefined : kept?.parser.next?.(context);
    },
    async *run(parser, turn) {
      const { opening } = parser;
      if (parser.next === undefined || opening === undefined)
        return yield* runTurn(turn, stop, (work) => (running = work));
      if (asked === undefined) await letGo();
      kept = { process: asked ?? keptProcess(), parser, turn };
      const cancel = () => parser.cancel?.() ?? [];
      return yield* kept.process.turn({ ...turn, opening, cancel }, stop);
    },
    async end() {
      await running.catch(() => {});
      await letGo();
      return fault;
    },
  };
}
