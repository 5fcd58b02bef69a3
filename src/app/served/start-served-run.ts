import { AssayError } from '../../core/errors.ts';
import type { RunOptions } from '../../core/run-options.ts';
import { printableLine } from '../../lib/text/printable-json.ts';
import type { RunOutcome, RunSite } from '../conduct/run-site.ts';
import type { ServerPlace } from '../server-client.ts';
import { askedServer } from './asked-server.ts';
import { begunText } from './begun-text.ts';
import { followRun } from './follow-run.ts';
import { remoteRuns } from './remote-runs.ts';
import { runRequest } from './run-request.ts';
import { saidOf } from './said-problems.ts';
import { serverApi } from './server-api.ts';

/** Starts a run at a server, and shows it until it has ended. */
export async function startServedRun(
  options: RunOptions,
  server: ServerPlace,
  site: RunSite,
): Promise<RunOutcome> {
  const { api, runs, reporters, projectRoot } = await askedServer(server, site);
  const { body, idempotencyKey } = await runRequest(options, api, runs);
  const { answer } = await api.send(
    (send) => send<'startRun'>(['POST', '/runs'], { path: {}, body }, { idempotencyKey }),
    saidOf(options, body, api),
  );
  const run = runs.open(String((answer as { readonly id: unknown }).id));
  const { screen, verbosity } = site.presentation;
  if (verbosity !== 'quiet') screen.write(begunText(await run.head(), api.url));
  return await followRun({ run, api, runs, site, reporters, projectRoot });
}

/** The plan of a run of a server, which it does not begin. */
export async function dryServedRun(
  options: RunOptions,
  server: ServerPlace,
  form: 'text' | 'json',
): Promise<string> {
  const api = serverApi(server);
  if (form === 'text') {
    throw new AssayError('usage', `the server at ${server.url} returns the plan only as JSON`, {
      stage: 'plan',
      hint: 'add --json',
    });
  }
  const { body } = await runRequest(options, api, remoteRuns(api, '.'));
  const { answer } = await api.send(
    (send) => send<'startRun'>(['POST', '/runs'], { path: {}, body: { ...body, dry_run: true } }),
    saidOf(options, body, api),
  );
  return printableLine(answer);
}
