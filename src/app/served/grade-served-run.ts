import { given } from '../../lib/given.ts';
import type { RunOutcome, RunSite } from '../conduct/run-site.ts';
import type { GradeRequest } from '../regrade/grade-request.ts';
import type { ServerPlace } from '../server-client.ts';
import { askedServer } from './asked-server.ts';
import { followRun } from './follow-run.ts';
import { notSent } from './not-sent.ts';

/** Has a server grade a run again, and shows the new run until it has ended. */
export async function gradeServedRun(
  request: GradeRequest,
  server: ServerPlace,
  site: RunSite,
): Promise<RunOutcome> {
  refuseOwn(request, server);
  const { api, runs, reporters, projectRoot } = await askedServer(server, site);
  const { run: source, target } = await runs.find(request.run);
  const { judge, maxCostUsd, allowUnknownCost } = request;
  const body = given({
    target,
    judge: judge === undefined ? undefined : { target: judge },
    budget_usd: maxCostUsd,
    allow_unknown_cost: allowUnknownCost,
  });
  const { answer } = await api.send((send) =>
    send<'regradeRun'>(['POST', '/runs/{run}/regrade'], { path: { run: source.name }, body }),
  );
  const run = runs.open(answer.id);
  const { screen, verbosity } = site.presentation;
  if (verbosity !== 'quiet')
    screen.write(`grading ${source.name} into ${run.name} on the server at ${api.url}\n`);
  return await followRun({ run, api, runs, site, reporters, projectRoot });
}

/** Throws `usage` for options that only this process could honour. */
function refuseOwn({ suites, cassette, isTrusted }: GradeRequest, { url }: ServerPlace): void {
  if (suites.length > 0)
    throw notSent('--suite', 'leave it out: the server grades the cases of its store', url);
  if (cassette !== undefined) throw notSent('--cassette', 'stop the server, or leave it out', url);
  if (isTrusted) throw notSent('--trust', 'leave it out: the server runs its own config', url);
}
