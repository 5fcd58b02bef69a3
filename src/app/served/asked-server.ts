import { join } from 'node:path';

import { runSettings } from '../../authoring/config/run-settings.ts';
import { AssayError } from '../../core/errors.ts';
import { AuthoringError } from '../../core/problem.ts';
import type { RunSite } from '../conduct/run-site.ts';
import { reportersOf, type Reporter } from '../present/reporters.ts';
import { openConfig } from '../project/open-config.ts';
import type { ServerPlace } from '../server-client.ts';
import type { Surroundings } from '../surroundings.ts';
import type { FollowedRun } from './follow-run.ts';
import { remoteRuns } from './remote-runs.ts';
import { serverApi } from './server-api.ts';

/** What a command needs to have a server execute a run, and to show it. */
export type AskedServer = Pick<FollowedRun, 'api' | 'reporters' | 'projectRoot'> & {
  readonly runs: ReturnType<typeof remoteRuns>;
};

/** Throws `usage` for a reporter that needs the suites of a run. */
export async function askedServer(server: ServerPlace, site: RunSite): Promise<AskedServer> {
  const { configured, projectRoot } = await ownProject(site.surroundings);
  const reporters = await shownReporters(configured, site);
  const api = serverApi(server);
  return { api, runs: remoteRuns(api, join(projectRoot, '.assay/stored')), reporters, projectRoot };
}

interface OwnProject {
  readonly configured: readonly string[];
  readonly projectRoot: string;
}

/** Reporters and folder of the project of this command. A server elsewhere needs none. */
async function ownProject(surroundings: Surroundings): Promise<OwnProject> {
  const { cwd } = surroundings;
  const { loaded, problems } = await openConfig({ file: undefined, start: cwd, surroundings });
  if (loaded === undefined) throw new AuthoringError(problems);
  return { configured: runSettings(loaded).settings.reporters, projectRoot: loaded.directory };
}

/** Throws `usage` for a reporter that needs the suites of a run. */
async function shownReporters(configured: readonly string[], site: RunSite): Promise<readonly Reporter[]> {
  const reporters = await reportersOf(configured, site);
  const withSuites = reporters.find(({ hooks }) => hooks !== undefined);
  if (withSuites === undefined) return reporters;
  const message = `the reporter ${withSuites.type} needs the suites of a run, which a server does not send`;
  throw new AssayError('usage', message, { stage: 'plan', hint: 'use a built-in reporter' });
}
