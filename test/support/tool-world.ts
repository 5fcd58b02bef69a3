import { validatorOf } from '../../src/graders/json-schema.ts';
import type { WorldPlan, WorldServices } from '../../src/world/open-world.ts';
import { openWorld } from '../../src/world/open-world.ts';

export const LOOKUP = {
  name: 'lookup_order',
  description: 'finds an order',
  parameters: { type: 'object', properties: { id: { type: 'string' } } },
};

/** A world of one attempt, what broke it and what it kept. */
export async function worldOf(plan: Partial<WorldPlan> = {}, services: Partial<WorldServices> = {}) {
  const broken: unknown[] = [];
  const kept: Record<string, string> = {};
  const world = await openWorld(
    { tools: [LOOKUP], mocks: [], faults: [], ...plan },
    {
      draw: { seed: 7, caseDigest: 'case-a', repetition: 1 },
      validatorOf,
      servesMcp: false,
      artifacts: { write: async (name, content) => void (kept[name] = String(content)) },
      broken: (error) => void broken.push(error),
      ...services,
    },
  );
  return { world, broken, kept };
}
