import { defaultTargets } from '../authoring/config/default-targets.ts';
import type { LoadedConfig } from '../authoring/config/load-config.ts';
import { problemAt } from '../authoring/config/locate.ts';
import { unknownTarget } from '../authoring/config/references.ts';
import { readStartRequest, type StartRequest } from '../authoring/config/start-request.ts';
import { fault } from '../authoring/yaml/fault.ts';
import { AssayError } from '../core/errors.ts';
import type { Manifest } from '../core/manifest.ts';
import { AuthoringError, type Problem } from '../core/problem.ts';
import type { RunOptions } from '../core/run-options.ts';
import type { Store } from '../core/store.ts';
import { STORED_SUITE } from '../core/test-case.ts';
import { given } from '../lib/given.ts';
import { gateProblems } from './gates/check-gates.ts';
import { type AskedBaseline, holdingBaseline } from './gates/holding-baseline.ts';
import { chooseTargets, type ChosenTargets } from './planning/choose-agents.ts';
import { namingAgents } from './planning/naming-agents.ts';
import { listedBySet, selectedSet } from './planning/selected-set.ts';
import type { UsedAgent } from './planning/with-agents.ts';
import type { Surroundings } from './surroundings.ts';
import { calledRun } from './view/called-run.ts';

/** What a request to start a run means under a config and a store. */
export interface AskedRun {
  readonly request: StartRequest;
  readonly options: RunOptions;
  /** Its mistakes. The rest is sound, so that the plan can be checked with it. */
  readonly found: readonly Problem[];
  readonly agents: readonly UsedAgent[];
  readonly bySet: ReturnType<typeof listedBySet>;
}

/** Throws the mistakes of a body that means nothing. */
export async function askedStart(
  body: unknown,
  loaded: LoadedConfig,
  around: Surroundings,
): Promise<AskedRun> {
  const { request, faults } = readStartRequest(body, [...loaded.written.keys()]);
  if (request === undefined) throw new AuthoringError(faults.map((each) => problemAt(REQUEST, each)));
  const chosen = await chosenAgents(request, [...loaded.written.keys()], around);
  const { agents, names } = chosen;
  const targets = names.length === 0 ? defaultTargets(loaded, 'data').names : names;
  const set = await selectedSet(request.options.select?.set, around);
  const bySet = listedBySet(set, request.named.line);
  const asking = { line: bySet.line ?? STORED_SUITE, targets, versions: versionsAmong(agents) };
  const baseline = await baselineOf(request, asking, around);
  const named = await namingAgents(faults, body, around);
  const found = [
    ...named.map((each) => problemAt(REQUEST, each)),
    ...chosen.problems,
    ...baseline.problems,
    ...gateProblems(request.options.gates ?? []),
  ];
  const { baseline: _written, ...options } = request.options;
  const asked = { ...options, targets: names, ...given({ baseline: baseline.reference }) };
  return { request, options: asked, found, agents, bySet };
}

const REQUEST = { file: 'request' } as const;

/** The targets of a request: its agents first. */
async function chosenAgents(
  { options, agents }: StartRequest,
  ofConfig: readonly string[],
  { store }: Surroundings,
): Promise<ChosenTargets> {
  const { targets: names } = options;
  const opened = agents.length === 0 ? undefined : await store?.find();
  if (opened === undefined) return { names, agents: [], problems: [] };
  const asked = agents.map(({ id, version }, index) => ({
    agent: id,
    version,
    place: { file: 'request', path: ['agents', index, version === undefined ? 'id' : 'version'] },
  }));
  const chosen = await chooseTargets(asked, { configured: [], agents: opened.agents, ofConfig });
  return { ...chosen, names: [...chosen.names, ...names] };
}

interface FoundBaseline {
  readonly reference?: string | undefined;
  readonly problems: readonly Problem[];
}

/** The agents that a run has in several versions, by the names of their targets. Only those have an `@`. */
function versionsAmong(agents: readonly UsedAgent[]): ReadonlyMap<string, string> {
  return new Map(
    agents.flatMap(({ name }): (readonly [string, string])[] => {
      const at = name.lastIndexOf('@');
      return at < 0 ? [] : [[name, name.slice(0, at)]];
    }),
  );
}

/** The run that a request compares with, of the store only: a path would be one of the server's machine. */
async function baselineOf(
  { options, wantsBaseline }: StartRequest,
  asked: AskedBaseline,
  { store: door }: Surroundings,
): Promise<FoundBaseline> {
  const store = await door?.find();
  if (store === undefined) return { problems: [] };
  if (options.baseline !== undefined) return await namedBaseline(options.baseline, store.runs);
  // A request without a sound target has other problems.
  if (!wantsBaseline || asked.targets.length === 0) return { problems: [] };
  const holding = await holdingBaseline(asked, store.baselines);
  return 'problem' in holding ? { problems: [holding.problem] } : { ...holding, problems: [] };
}

async function namedBaseline(reference: string, runs: Store['runs']): Promise<FoundBaseline> {
  try {
    const { run, target } = await calledRun(runs, reference);
    const { targets } = await run.head();
    const names = targets.map(({ name }) => name);
    if (target === undefined) return { reference: run.name, problems: [] };
    const found = names.includes(target) ? target : ofVersion(target, targets);
    if (found !== undefined) return { reference: `${run.name}#${found}`, problems: [] };
    return { problems: [problemAt(REQUEST, unknownTarget(target, names, ['baseline', 'target']))] };
  } catch (error) {
    if (!(error instanceof AssayError) || error.code !== 'run-not-found') throw error;
    const { message, hint } = error;
    const path = ['baseline', 'run_id'];
    const wrong = fault('run-not-found', `baseline.run_id: ${message}`, { path, ...given({ hint }) });
    return { problems: [problemAt(REQUEST, wrong)] };
  }
}

/** An agent that a run had in one version is called by its name there, and may be asked for as `NAME@VERSION`. */
function ofVersion(target: string, targets: Manifest['targets']): string | undefined {
  return targets.find(({ name, agent }) => agent !== undefined && `${name}@${agent.version}` === target)
    ?.name;
}
