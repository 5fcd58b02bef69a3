import type { TrialChange } from '../api/resources/feed.ts';
import type { RunSummaries } from '../app/view/run-summaries.ts';
import { isUnderWay, type RunState } from '../core/run.ts';
import type { Handlers } from './operation.ts';
import { runChanges, type RunChanges } from './run-changes.ts';
import { runPoller, type RunPoller } from './run-poller.ts';
import { HEARTBEAT_MS, serverEvents, type ServerEvent } from './server-events.ts';
import { trialEnds } from './trial-ends.ts';

/** A feed of all runs, or of one run with its trials. */
export function feedHandlers(runs: RunSummaries): Pick<Handlers, 'followRuns'> {
  const watch: Watch = { runs, poller: runPoller(runs), changes: runChanges(runs) };
  return {
    followRuns: async ({ query, signal }) => {
      if (query.run === undefined) return serverEvents(ofAll(watch, signal));
      const { name } = await runs.run(query.run);
      return serverEvents(ofOne(name, watch, signal));
    },
  };
}

/** What the feeds of a server share. */
interface Watch {
  readonly runs: RunSummaries;
  readonly poller: RunPoller;
  readonly changes: RunChanges;
}

/** What a feed knows of a run: its version, and the message about it. */
interface Seen {
  readonly version: string;
  readonly told: string | undefined;
}

/** Runs that go on, and others when they change. */
async function* ofAll({ poller, changes }: Watch, signal: AbortSignal): AsyncGenerator<ServerEvent> {
  const seen = new Map<string, Seen>();
  const isQuiet = quiet();
  for await (const versions of poller.follow(undefined, signal)) {
    let hasTold = false;
    for (const [id, version] of versions) {
      const before = seen.get(id);
      if (version === before?.version) continue;
      seen.set(id, { version, told: before?.told });
      if (before === undefined && !isLive(version)) continue;
      const change = await changes.of(id, version);
      const told = JSON.stringify(change);
      if (told === before?.told) continue;
      seen.set(id, { version, told });
      hasTold = true;
      yield { event: 'run', data: change };
    }
    for (const id of seen.keys()) if (!versions.has(id)) seen.delete(id);
    if (isQuiet(hasTold)) yield undefined;
  }
}

/** A run at once and when it changes, and the trials that end from now on. */
async function* ofOne(id: string, watch: Watch, signal: AbortSignal): AsyncGenerator<ServerEvent> {
  const { runs, poller, changes } = watch;
  let ends: (() => Promise<readonly TrialChange[]>) | undefined;
  let seen = '';
  let told = '';
  const isQuiet = quiet();
  for await (const versions of poller.follow(id, signal)) {
    const version = versions.get(id) ?? 'unreadable';
    let hasTold = false;
    if (version !== seen) {
      // Trials that ended just before the run are reported too.
      const goesOn = isLive(version) || isLive(seen);
      const change = await changes.of(id, version);
      const ended = goesOn ? ((await ends?.()) ?? []) : [];
      ends ??= goesOn ? trialEnds(id, runs, changes.positionOf(id)) : undefined;
      for (const end of ended) {
        hasTold = true;
        yield { event: 'trial', data: end };
      }
      seen = version;
      const text = JSON.stringify(change);
      if (text !== told) {
        told = text;
        hasTold = true;
        yield { event: 'run', data: change };
      }
    }
    if (isQuiet(hasTold)) yield undefined;
  }
}

/** A version begins with the state. */
function isLive(version: string): boolean {
  return isUnderWay(version.split(' ')[0] as RunState);
}

/** Whether nothing was told for so long that a comment keeps the connection open. */
function quiet(): (hasTold: boolean) => boolean {
  let since = Date.now();
  return (hasTold) => {
    const now = Date.now();
    const isDue = !hasTold && now - since >= HEARTBEAT_MS;
    if (hasTold || isDue) since = now;
    return isDue;
  };
}
