import type { TargetServices } from '../../core/plugin.ts';
import type { ProgramNeeds } from '../../core/sandbox.ts';
import type { World } from '../../core/target.ts';
import { decodeUtf8 } from '../../lib/process/decode-utf8.ts';
import type { ProcessSpec } from '../../lib/process/run-process.ts';
import { MeasurementError } from '../../core/errors.ts';
import { enterOf, runEntered, type SandboxedResult } from '../sandboxed.ts';
import { contractBroken, unavailable } from '../target-errors.ts';
import { endingOf, endOfStderr, textEnd } from '../text-end.ts';
import { outputTooLarge } from './turn-files.ts';

/** One execution of the target's program, for one turn. */
export interface Execution {
  readonly world: World;
  readonly turn: number;
  readonly spec: Omit<ProcessSpec, 'marker' | 'onStdout' | 'onStderr'>;
  readonly maxOutputBytes: number;
  readonly services: Pick<TargetServices, 'sandbox'>;
  /** What it needs besides the workspace when it runs in a sandbox. */
  readonly needs: ProgramNeeds;
  readonly onStdout?: (chunk: Uint8Array) => void;
}

/** Its output, and how to save it as an artifact if it is more than the answer. */
export interface Printed {
  readonly stdout: string;
  keep(): Promise<void>;
}

/** Runs the program. Saves its output, and throws unless it exited with 0. */
export async function runProgram(execution: Execution, signal: AbortSignal): Promise<Printed> {
  const { world, spec, maxOutputBytes, services, needs, onStdout } = execution;
  const result = await runEntered(
    {
      ...spec,
      maxOutputBytes,
      marker: { name: 'ASSAY_ATTEMPT', value: world.marker },
      hold: world.hold,
      onStdout: (chunk) => {
        world.pulse();
        onStdout?.(chunk);
      },
      onStderr: world.pulse,
    },
    enterOf(services, { world, needs }),
    signal,
  );
  await keepLog(execution, 'stderr', result.stderr);
  const failure = failureOf(result, execution, signal);
  if (failure !== undefined) {
    await keepLog(execution, 'stdout', result.stdout);
    throw failure;
  }
  return {
    stdout: decodeUtf8(result.stdout),
    keep: async () => await keepLog(execution, 'stdout', result.stdout),
  };
}

async function keepLog({ world, turn }: Execution, name: string, content: Uint8Array): Promise<void> {
  if (content.length === 0) return;
  await world.artifacts.write(turn === 1 ? `${name}.log` : `${name}-${turn}.log`, content);
}

function failureOf(result: SandboxedResult, execution: Execution, signal: AbortSignal): unknown {
  switch (result.outcome) {
    case 'exited':
      if (result.sandboxFailure !== undefined) return result.sandboxFailure;
      return result.exitCode === 0 ? undefined : crash(result, execution);
    case 'aborted':
      return (
        signal.reason ??
        new MeasurementError('the agent was stopped before its turn was finished', {
          stage: 'target',
          kind: 'interrupted',
        })
      );
    case 'timeout':
    case 'output-limit':
      return outputTooLarge('stdout or stderr', execution.maxOutputBytes);
    case 'spawn-failed':
      return notStarted(result.failure, execution);
    default:
      throw result satisfies never;
  }
}

function crash(result: SandboxedResult, { spec, world }: Execution): MeasurementError {
  const stderr = textEnd(decodeUtf8(result.stderr));
  if ('shell' in spec.command && result.exitCode === NOT_FOUND_BY_SHELL) {
    return missing(`the shell did not find the program: ${stderr}`, world.trial.target);
  }
  const how = `${endingOf(result)}; ${endOfStderr(stderr)}`;
  return new MeasurementError(`the program of target ${world.trial.target} ended with ${how}`, {
    stage: 'target',
    kind: 'runner-crash',
    hint: 'a program that gives an answer must exit with code 0',
  });
}

/** The exit code of POSIX shells for an unknown command. */
const NOT_FOUND_BY_SHELL = 127;

type SpawnFailure = Extract<SandboxedResult, { readonly outcome: 'spawn-failed' }>['failure'];

function notStarted(failure: SpawnFailure, { world }: Execution): MeasurementError {
  const { target } = world.trial;
  if (failure.reason === 'program-missing') return missing(failure.message, target);
  if (failure.code === HOLDS_NUL) {
    return contractBroken(
      `the prompt cannot be passed to target ${target}: it contains the character U+0000`,
      {
        detail: 'prompt-unusable',
        hint: 'change the input of the case, or make the program read the prompt from stdin',
      },
    );
  }
  return unavailable(`the program of target ${target} could not be started: ${failure.message}`, {
    detail: failure.reason,
    hint:
      failure.reason === 'arguments-too-long'
        ? 'make it read the prompt from stdin or {PROMPT_FILE} instead of {PROMPT} or $ASSAY_PROMPT'
        : `correct targets.${target}.command or targets.${target}.cwd`,
  });
}

/** Node's error for an argument or variable with U+0000. */
const HOLDS_NUL = 'ERR_INVALID_ARG_VALUE';

function missing(message: string, target: string): MeasurementError {
  return unavailable(message, {
    detail: 'missing-binary',
    hint: `install it, put it on PATH, or correct targets.${target}.command`,
  });
}
