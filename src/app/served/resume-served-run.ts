import { AssayError } from '../../core/errors.ts';
import { wholeRun, type StoredRun } from '../../core/run-store.ts';
import { given } from '../../lib/given.ts';
import type { RunOutcome, RunSite } from '../conduct/run-site.ts';
import type { Presentation } from '../present/presentation.ts';
import type { ResumeRequest } from '../resume/resume-request.ts';
import type { ServerPlace } from '../server-client.ts';
import { askedServer } from './asked-server.ts';
import { earlierEvents, followRun } from './follow-run.ts';
import { notSent } from './not-sent.ts';
import type { ServerApi } from './server-api.ts';

/** Has a server resume a run, and shows it until it has ended. */
export async function resumeServedRun(
  request: ResumeRequest,
  server: ServerPlace,
  site: RunSite,
): Promise<RunOutcome> {
  if (request.isTrusted) throw notSent('--trust', 'leave it out: the server runs its own config', server.url);
  const { api, runs, reporters, projectRoot } = await askedServer(server, site);
  const run = wholeRun(await runs.find(request.run), 'resume');
  const before = await earlierEvents(run);
  await resume(run, request, { api, presentation: site.presentation });
  return await followRun({ run, before, api, runs, site, reporters, projectRoot });
}

interface Asking {
  readonly api: ServerApi;
  readonly presentation: Presentation;
}

/** A run with nothing to resume is shown as it is. */
async function resume(
  { name: run }: StoredRun,
  { retry, acceptChanges, concurrency, maxCostUsd, allowUnknownCost }: ResumeRequest,
  { api, presentation: { screen, verbosity } }: Asking,
): Promise<void> {
  const body = {
    retry,
    accept_changes: acceptChanges,
    ...given({ concurrency, budget_usd: maxCostUsd, allow_unknown_cost: allowUnknownCost }),
  };
  try {
    await api.send((send) => send<'resumeRun'>(['POST', '/runs/{run}/resume'], { path: { run }, body }));
  } catch (error) {
    if (!(error instanceof AssayError) || error.code !== 'nothing-to-resume') throw error;
    screen.write(`Nothing to run: ${error.message}.\n`);
    return;
  }
  if (verbosity !== 'quiet') screen.write(`resuming ${run} on the server at ${api.url}\n`);
}
