import { dirname } from 'node:path';

import { AssayError } from '../core/errors.ts';
import { begun, type Manifest } from '../core/manifest.ts';
import { AuthoringError } from '../core/problem.ts';
import type { RunSpec } from '../core/run-spec.ts';
import { wholeRun, type StoredRun } from '../core/run-store.ts';
import { given } from '../lib/given.ts';
import { handsOf } from './running/choose-hands.ts';
import { recallTokens } from './running/code-suites/token-baselines.ts';
import { changesSince } from './planning/changes-since.ts';
import { frozenCases } from './planning/frozen-copies.ts';
import type { PlanManifest } from './planning/plan-manifest.ts';
import { planRun } from './planning/plan-run.ts';
import { runRemaining } from './conduct/run-remaining.ts';
import { checkedConditions, prepareTrials } from './conduct/prepare-trials.ts';
import type { RunOutcome, RunSite } from './conduct/run-site.ts';
import { projectOfSpec } from './planning/load/project-of-spec.ts';
import { refuseStranger } from './project/trust-run.ts';
import { refuseUnknownVerdicts, type ResumeRequest, refuseNothing } from './resume/resume-request.ts';
import { isOver } from './resume/is-over.ts';
import { nothingLeft } from './resume/nothing-left.ts';
import { spentBefore } from './resume/spent-before.ts';
import { readLog, whatIsLeft } from './resume/what-is-left.ts';
import { bind, type BoundRun } from './binding/bind.ts';
import { redactorFor } from './binding/redactor.ts';
import { clearLeftovers, ownLeftovers } from './project/leftovers.ts';
import type { Machine } from './binding/machine.ts';
import { keyFaultsOf } from './binding/model-key-faults.ts';
import { agentsOfSpec } from './planning/with-agents.ts';
import { repositoryState } from './project/repository-state.ts';
import { settingsIn } from './binding/trial-settings.ts';
import { openRuns, runsBeside } from './runs.ts';
import { specToResume } from './resume/spec-to-resume.ts';

/** Runs the trials of a run that have no outcome yet, from its stored spec, into the same run. */
export async function resumeRun(request: ResumeRequest, site: RunSite): Promise<RunOutcome> {
  refuseUnknownVerdicts(request.retry);
  const { surroundings, presentation } = site;
  const runs = await openRuns(site.out, surroundings);
  const stored = wholeRun(await runs.find(request.run), 'resume');
  const claimed = await runs.claim(stored);
  const { areHere } = handsOf(surroundings);
  try {
    if (areHere) await claimed.takeBack?.();
    const before = await stored.manifest();
    const spec = await specToResume(stored, before);
    const trust = { isTrusted: request.isTrusted, confirm: site.confirm };
    const named = { stored, manifest: before, spec };
    await refuseStranger(named, trust, surroundings);
    const place = { directory: stored.place, id: before.id };
    if (areHere) await clearLeftovers(place, before.leftovers);
    const planned = await planAgain({ before, spec, stored }, request, site);
    const bound = bindAgain(planned, request);
    if (request.needsWork === true && isOver(before)) await refuseNothing(stored, bound, request);
    const conditions = await checkedConditions(bound);
    const settingsOf = (target: string) => moneyOf(bound, target);
    const spent = spentBefore({ manifest: before, settingsOf });
    const logged = await readLog(stored, spent);
    const prepared = await prepareTrials(bound, site, spent.usd());
    const manifest = {
      ...begunAgain(before, planned, bound),
      leftovers: ownLeftovers(place, bound.machine.run.workspaceRoot),
      ...(prepared.ledger === undefined ? {} : { spent: { usd: spent.usd(), upTo: logged.lastSequence } }),
    };
    // From here on only the log is complete, because some rows are removed.
    const run = await claimed.open(manifest, redactorFor(bound.secrets));
    await run.keepSpec(planned.spec);
    const { isReplanned } = planned;
    const earlier = await whatIsLeft(claimed, { bound, retry: request.retry, isReplanned, ...logged });
    if (prepared.ledger !== undefined) presentation.screen.write(spent.uncounted());
    if (prepared.tokenBaselines !== undefined)
      await recallTokens(prepared.tokenBaselines, claimed.stored, bound);
    const remaining = bound.plan.size - earlier.ended.size;
    if (remaining === 0) presentation.screen.write(nothingLeft(before, request));
    await run.keepFrozen(frozenCases(bound));
    return await runRemaining({
      bound,
      run,
      prepared,
      earlier: { ...earlier, ...given({ usesOwnAnswers: request.usesOwnAnswers }) },
      site,
      conditions,
      repository: repositoryState(surroundings),
      ...(remaining > 0 || before.endedAt === undefined ? {} : { endedAt: before.endedAt }),
    });
  } finally {
    await claimed.release();
  }
}

/** The manifest of the resumed run: its start is kept, its end is removed. */
function begunAgain(before: Manifest, { spec, manifest }: PlannedAgain, bound: BoundRun): Manifest {
  const settings = manifest?.settings ?? before.settings;
  const { concurrency } = bound.spec.settings;
  return {
    ...begun(before),
    ...manifest,
    settings: { ...settings, concurrency, options: spec.options },
    digests: spec.digests,
    state: 'running',
  };
}

interface RunBefore {
  readonly before: Manifest;
  readonly spec: RunSpec;
  readonly stored: StoredRun;
}

interface PlannedAgain {
  /** The stored spec. */
  readonly spec: RunSpec;
  readonly machine: Machine;
  /** Only of a new plan. */
  readonly manifest?: PlanManifest;
  /** Whether the plan was made again. */
  readonly isReplanned: boolean;
}

/** The stored spec and the current checkout. A changed checkout is refused or, with `--accept-changes`, planned again. */
async function planAgain(
  { before, spec: kept, stored }: RunBefore,
  { acceptChanges, maxCostUsd, allowUnknownCost }: ResumeRequest,
  { surroundings: now, interrupt: { stop: signal } }: Pick<RunSite, 'surroundings' | 'interrupt'>,
): Promise<PlannedAgain> {
  // A raised cost limit also applies to later resumes.
  const options = { ...kept.options, ...given({ maxCostUsd, allowUnknownCost }) };
  const surroundings = { ...now, cwd: before.cwd };
  const runs = await runsBeside(stored, surroundings);
  const agents = agentsOfSpec(kept);
  if (acceptChanges) {
    const again = { digests: before.digests, seed: before.seed };
    const out = dirname(stored.place);
    const planned = await planRun({ options, surroundings, out, again, runs, agents, signal });
    const { spec, machine, manifest } = planned;
    const changed = await changesSince(kept, before, { project: machine, signal });
    return { spec, machine, manifest, isReplanned: changed.length > 0 };
  }
  const project = await projectOfSpec({ stored, manifest: before, spec: kept }, options, surroundings);
  const changed = await changesSince(kept, before, { project, signal });
  if (changed.length > 0) throw changedSince(changed);
  const machine = { ...project, runs, cwd: before.cwd };
  return { spec: { ...kept, options }, machine, isReplanned: false };
}

/** Binds the spec with the concurrency of this request. */
function bindAgain({ spec, machine }: PlannedAgain, { concurrency }: ResumeRequest): BoundRun {
  const settings = { ...spec.settings, ...given({ concurrency }) };
  const bound = bind({ ...spec, settings }, machine);
  const faults = keyFaultsOf(bound);
  if (faults.length > 0) throw new AuthoringError(faults);
  return bound;
}

/** Settings for counting the cost of a target. Undefined if it is free. */
function moneyOf(bound: BoundRun, target: string) {
  return bound.use.targets.get(target)?.plugin.isFree === true ? undefined : settingsIn(bound)({}, target);
}

function changedSince(changed: readonly string[]): AssayError {
  return new AssayError('run-changed', `changed since the run was planned: ${changed.join(', ')}`, {
    stage: 'plan',
    hint: 'undo the change, or use --accept-changes to run the changed cases again',
  });
}
