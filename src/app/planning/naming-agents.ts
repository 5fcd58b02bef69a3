import type { Fault } from '../../authoring/yaml/fault.ts';
import { given } from '../../lib/given.ts';
import { isObject } from '../../lib/json.ts';
import type { Surroundings } from '../surroundings.ts';

/** Faults of a request; where `targets` names an agent of the store, the hint says how to ask for it. */
export async function namingAgents(
  faults: readonly Fault[],
  body: unknown,
  { store }: Surroundings,
): Promise<readonly Fault[]> {
  const targets: unknown = isObject(body) ? body['targets'] : undefined;
  if (!Array.isArray(targets) || !faults.some(isUnknownTarget)) return faults;
  const agents = (await store?.find())?.agents;
  const named = faults.map(async (fault) => {
    const target: unknown = isUnknownTarget(fault) ? targets[Number(fault.path[1])] : undefined;
    if (typeof target !== 'string') return fault;
    const [, id = target, version] = /^(.+)@(\d+)$/s.exec(target) ?? [];
    if ((await agents?.called(id)) === undefined) return fault;
    const agent = { id, ...given({ version: version === undefined ? undefined : Number(version) }) };
    return { ...fault, hint: `for an agent of the store write "agents": ${JSON.stringify([agent])}` };
  });
  return await Promise.all(named);
}

function isUnknownTarget({ code, path }: Fault): boolean {
  return code === 'unknown-target' && path[0] === 'targets';
}
