import type { LoadedConfig } from '../authoring/config/load-config.ts';
import type { AgentPlace } from '../authoring/config/store-rules.ts';
import { MeasurementError } from '../core/errors.ts';
import { AuthoringError } from '../core/problem.ts';
import { finalAnswer } from '../core/transcript.ts';
import type { Usage } from '../core/usage.ts';
import { given } from '../lib/given.ts';
import { askOnce, spentOnce } from './binding/ask-once.ts';
import { bareWorld } from './binding/bare-world.ts';
import { openModels } from './binding/models.ts';
import { redactorFor, secretsOf } from './binding/redactor.ts';
import { openTargetPool } from './binding/target-pool.ts';
import { useTargets } from './binding/use-targets.ts';
import { type UsedAgent, withAgents } from './planning/with-agents.ts';

export interface ProbeRequest {
  readonly agent: UsedAgent;
  /** The config of the server. */
  readonly loaded: LoadedConfig;
  readonly place: Pick<AgentPlace, 'plugins' | 'rules'>;
  /** Time limit of the probe, in milliseconds. */
  readonly timeoutMs: number;
}

/** The result of one message to an agent. */
export interface Probe {
  /** Wall time, milliseconds. */
  readonly durationMs: number;
  /** Absent if it failed. */
  readonly answer?: string;
  readonly usage?: Usage;
  readonly error?: Pick<MeasurementError, 'kind' | 'detail' | 'message' | 'hint'>;
}

/** Sends "Hello" to an agent of the store, once. Removes secrets from the answer. Throws the problems of its config. */
export async function probeAgent(request: ProbeRequest, signal: AbortSignal): Promise<Probe> {
  const { agent, timeoutMs } = request;
  const { loaded, problems } = withAgents(request.loaded, [agent], request.place);
  if (problems.length > 0) throw new AuthoringError(problems);
  const use = useTargets([agent.name], loaded);
  if (use.problems.length > 0) throw new AuthoringError(use.problems);
  const { directory } = loaded;
  const redactor = redactorFor(secretsOf(loaded, [use], loaded.config.run.redact));
  await using pool = openTargetPool({
    runId: 'probe',
    targets: use.targets,
    directory,
    models: openModels({ loaded, cassette: undefined, cwd: directory, seed: 0, redactor }),
    storedRun: () => Promise.reject(new Error('a probe cannot replay runs')),
  });
  const startedAt = performance.now();
  const timeout = AbortSignal.timeout(timeoutMs);
  const took = () => ({ durationMs: Math.round(performance.now() - startedAt) });
  try {
    const said = await firstTurn(agent.name, pool, AbortSignal.any([signal, timeout]));
    return redactor.json({ ...took(), ...said });
  } catch (error) {
    signal.throwIfAborted();
    return redactor.json({ ...took(), error: errorOf(error, timeout.aborted ? timeoutMs : undefined) });
  }
}

async function firstTurn(
  name: string,
  pool: Pick<ReturnType<typeof openTargetPool>, 'prepared'>,
  signal: AbortSignal,
): Promise<Pick<Probe, 'answer' | 'usage'>> {
  const world = bareWorld('probe', name);
  try {
    const target = await pool.prepared(name, signal);
    const transcript = await askOnce(target, 'Hello', { world, signal });
    return { answer: finalAnswer(transcript), ...given({ usage: spentOnce(transcript).usage }) };
  } finally {
    world.artifacts.remove();
  }
}

function errorOf(error: unknown, timeoutMs: number | undefined): NonNullable<Probe['error']> {
  if (timeoutMs !== undefined) return { kind: 'timeout', message: `no answer within ${timeoutMs} ms` };
  if (!(error instanceof MeasurementError)) throw error;
  const { kind, detail, message, hint } = error;
  return { kind, message, ...given({ detail, hint }) };
}
