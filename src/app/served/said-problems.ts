import { flagOf } from '../../api/request-words.ts';
import { unknownTarget } from '../../authoring/config/references.ts';
import { pathLabel } from '../../authoring/yaml/fault.ts';
import type { RunOptions } from '../../core/run-options.ts';
import { given } from '../../lib/given.ts';
import type { SaidProblem } from '../server-client.ts';
import type { ServerRequest } from './run-request.ts';
import type { ServerApi } from './server-api.ts';

/** Gives a problem of a request in the words of the command that made it: the key of the request becomes the flag. */
export function saidOf(
  options: RunOptions,
  body: ServerRequest['body'],
  api: ServerApi,
): (problem: SaidProblem) => Promise<SaidProblem> {
  return async (problem) => {
    const path = (problem.param ?? '').split('.');
    const named = namedBy(path, options, body);
    if (named !== undefined && problem.code === 'unknown-target')
      return await unknownName(problem, named, api);
    const flag =
      named === undefined
        ? (flagOf(path.slice(0, 2).join('.')) ?? flagOf(path[0] ?? ''))
        : `--target ${named}`;
    if (flag === undefined) return problem;
    return { ...problem, param: '', message: `${flag}: ${withoutLabel(problem.message, path)}` };
  };
}

/** The value of `--target` that a problem is about. */
function namedBy([key, at]: readonly string[], { targets }: RunOptions, body: ServerRequest['body']) {
  if (key !== 'agents' && key !== 'targets') return undefined;
  const ofConfig = body['targets'] as readonly string[] | undefined;
  if (key === 'targets') return ofConfig?.[Number(at)];
  return targets.filter((name) => ofConfig?.includes(name) !== true)[Number(at)];
}

/** As without a server, where targets of the config and agents are known together. */
async function unknownName(problem: SaidProblem, name: string, api: ServerApi): Promise<SaidProblem> {
  const { targets } = await api.get((get) => get<'getSettings'>('/settings', { path: {} }));
  const agents = await api.get((get) => get<'listAgents'>('/agents', { path: {}, query: { limit: 200 } }));
  const [, id = name] = /^(.+)@\d+$/s.exec(name) ?? [];
  const known = [...targets, ...agents.data.map((each) => each.name)];
  const { message, hint } = unknownTarget(id, known, []);
  return { ...problem, param: '', message: `--target ${name}: ${message}`, ...given({ hint }) };
}

function withoutLabel(message: string, path: readonly string[]): string {
  const label = `${pathLabel(path.map((step) => (/^\d+$/.test(step) ? Number(step) : step)))}: `;
  return message.startsWith(label) ? message.slice(label.length) : message;
}
