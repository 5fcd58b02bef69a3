import { MeasurementError } from '../../core/errors.ts';
import { unavailable } from '../target-errors.ts';
import { endingOf, endOfStderr, textEnd } from '../text-end.ts';
import type { AgentFailure } from './adapter.ts';
import type { TurnState } from './turn-reader.ts';

/** How the program of a turn ended by itself, or was stopped after its terminal event. */
export interface TurnExit {
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** The end of stderr. */
  readonly stderr: string;
  /** It reported the end of the turn, kept running and was ended. */
  readonly hasLingered: boolean;
}

/** The agent, for messages. */
export interface NamedAgent {
  readonly target: string;
  readonly program: string;
  readonly version?: string | undefined;
  readonly triedVersions: readonly string[];
  /** What to do about rejected credentials. */
  readonly credentialsHint: string;
}

/** Why a turn was not measured; undefined when it was. The first matching rule counts. */
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
    if (!state.isRecognised && isStrange) return drift('reported success', state, agent);
    if (exit.hasLingered || exit.exitCode === 0) return undefined;
    return crash(`reported success but ended with ${endingOf(exit)}`, exit, agent);
  }
  if (exit.exitCode !== 0) return crash(`ended with ${endingOf(exit)}`, exit, agent);
  if (isStrange) return drift('ended with exit code 0', state, agent);
  return crash('ended with exit code 0 without reporting the end of its turn', exit, agent);
}

/** The error of a failure that an agent or its model provider reported. */
export function failureError(failure: AgentFailure, agent: NamedAgent): MeasurementError {
  const { kind, status } = failure;
  const message = `${agent.program}: ${textEnd(failure.message)}${failure.isHeuristic === true ? ' (assay guessed the kind of error from this text)' : ''}`;
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
      return error(message, { kind, hint: failure.hint ?? `correct targets.${agent.target}.model` });
    case 'target-unavailable':
      return unavailable(message, { transient: true });
    case 'runner-crash':
      return error(message, { kind, hint: failure.hint });
    default:
      throw kind satisfies never;
  }
}

function crash(how: string, exit: TurnExit, agent: NamedAgent): MeasurementError {
  return error(`${agent.program} ${how}; ${endOfStderr(exit.stderr)}`, { kind: 'runner-crash' });
}

function drift(
  howItEnded: string,
  { unknown, foreignLines }: TurnState,
  agent: NamedAgent,
): MeasurementError {
  const events = [...unknown].map(([kind, count]) => `${kind} (${count})`).join(', ');
  const unknownOutput = [
    ...(events === '' ? [] : [`unknown events: ${events}`]),
    ...(foreignLines === 0 ? [] : [`${foreignLines} lines that are not JSON`]),
  ].join(' and ');
  const { program, version = '(version unknown)', triedVersions } = agent;
  const testedVersions =
    triedVersions.length === 0 ? 'none, only its documentation' : triedVersions.join(', ');
  const newest = triedVersions.at(-1);
  return error(
    `${program} ${version} printed output that assay cannot read: ${unknownOutput} (the program ${howItEnded}; tested versions: ${testedVersions})`,
    { kind: 'adapter-drift', hint: hintOf(agent, newest) },
  );
}

/** If the version was tested, another version would not help. */
function hintOf({ program, version = '', triedVersions }: NamedAgent, newest: string | undefined): string {
  if (newest === undefined) return 'install a newer assay';
  if (triedVersions.includes(version))
    return 'look at its output in the folder of the trial; a newer assay may support it';
  return `install ${program} ${newest}, or a newer assay`;
}

function error(
  message: string,
  options: Omit<ConstructorParameters<typeof MeasurementError>[1], 'stage'>,
): MeasurementError {
  return new MeasurementError(message, { ...options, stage: 'target' });
}
