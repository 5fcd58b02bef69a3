import { MeasurementError } from '../../core/errors.ts';
import { unavailable } from '../target-errors.ts';
import { textEnd } from '../text-end.ts';
import type { AgentFailure } from './adapter.ts';
import type { TurnState } from './turn-reader.ts';

/** How the program of one turn ended by itself, or was let go after its terminal event. */
export interface TurnExit {
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** The end of it. */
  readonly stderr: string;
  /** It said that the turn was over and went on running until it was ended. */
  readonly hasLingered: boolean;
}

/** Who is spoken about. */
export interface NamedAgent {
  /** Name of the target. */
  readonly target: string;
  readonly program: string;
  readonly version?: string | undefined;
  readonly triedVersions: readonly string[];
  /** What to do about rejected credentials. */
  readonly credentialsHint: string;
}

/** What keeps a turn from having been measured; undefined: it is done. The first rule that fits wins. */
export function outcomeOf(state: TurnState, exit: TurnExit, agent: NamedAgent): MeasurementError | undefined {
  const failure = failureIn(state, exit, agent);
  if (failure === undefined || state.unknown.size === 0) return failure;
  return new MeasurementError(failure.message, {
    ...failure,
    cause: failure.cause,
    unknownEvents: Object.fromEntries(state.unknown),
  });
}

function failureIn(state: TurnState, exit: TurnExit, agent: NamedAgent): MeasurementError | undefined {
  const { terminal, abandon } = state;
  if (abandon !== undefined) return failureError(abandon, agent);
  if (terminal?.ok === false) return failureError(terminal.failure, agent);
  const isStrange = state.unknown.size > 0 || state.foreignLines > 0;
  if (terminal?.ok === true) {
    if (!state.isRecognised && isStrange) return drift('said that it was done', state, agent);
    if (exit.hasLingered || exit.exitCode === 0) return undefined;
    return crash(`said that it was done and ended with ${endingOf(exit)}`, exit, agent);
  }
  if (exit.exitCode !== 0) return crash(`ended with ${endingOf(exit)}`, exit, agent);
  if (isStrange) return drift('ended with exit code 0', state, agent);
  return crash('ended with exit code 0 and never said how its turn ended', exit, agent);
}

/** The error of what an agent or its model provider said. */
export function failureError(failure: AgentFailure, agent: NamedAgent): MeasurementError {
  const { kind, status } = failure;
  const message = `${agent.program}: ${textEnd(failure.message)}${failure.isHeuristic === true ? ' (read from a text that looks like an error)' : ''}`;
  if (failure.rejectsCredentials === true || status === 401 || status === 403) {
    return error(message, {
      kind: 'http-error',
      detail: 'credentials-rejected',
      hint: agent.credentialsHint,
    });
  }
  switch (kind) {
    case 'http-error': {
      const transient = status === 408 || status === 429 || (status ?? 0) >= 500;
      return error(message, { kind, detail: `http-${status ?? 'unknown'}`, transient });
    }
    case 'model-rejected':
      return error(message, { kind, hint: `correct targets.${agent.target}.model` });
    case 'target-unavailable':
      return unavailable(message, { transient: true });
    case 'runner-crash':
      return error(message, { kind });
    default:
      throw kind satisfies never;
  }
}

function crash(how: string, exit: TurnExit, agent: NamedAgent): MeasurementError {
  const stderr = textEnd(exit.stderr);
  const said = stderr === '' ? 'it printed nothing to stderr' : `the end of its stderr:\n${stderr}`;
  return error(`${agent.program} ${how}; ${said}`, { kind: 'runner-crash' });
}

function drift(how: string, { unknown, foreignLines }: TurnState, agent: NamedAgent): MeasurementError {
  const events = [...unknown].map(([kind, count]) => `${kind} (${count})`).join(', ');
  const strange = [
    ...(events === '' ? [] : [`events that assay does not know: ${events}`]),
    ...(foreignLines === 0 ? [] : [`${foreignLines} lines that are no JSON`]),
  ].join(' and ');
  const { program, version = '(version unknown)', triedVersions } = agent;
  const tried = triedVersions.length === 0 ? 'its documentation only' : triedVersions.join(', ');
  const newest = triedVersions.at(-1);
  return error(`${program} ${version} ${how} and printed ${strange}; assay was tried with ${tried}`, {
    kind: 'adapter-drift',
    hint: hintOf(agent, newest),
  });
}

/** Where the version is a tried one, another of it would not help. */
function hintOf({ program, version = '', triedVersions }: NamedAgent, newest: string | undefined): string {
  if (newest === undefined) return 'install a newer assay';
  if (triedVersions.includes(version))
    return 'look at its output beside the trial; a newer assay may read it';
  return `install ${program} ${newest}, or a newer assay`;
}

function endingOf({ exitCode, signal }: TurnExit): string {
  return signal === null ? `exit code ${exitCode}` : `the signal ${signal}`;
}

function error(
  message: string,
  options: Omit<ConstructorParameters<typeof MeasurementError>[1], 'stage'>,
): MeasurementError {
  return new MeasurementError(message, { ...options, stage: 'target' });
}
