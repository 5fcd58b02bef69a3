import * as z from 'zod';

import { verdictFinding, type Evidence, type Finding } from '../core/grade.ts';
import type { GraderPlugin } from '../core/plugin.ts';
import type { StateChange, WorldOutcome } from '../core/tools.ts';
import { differingPaths } from '../lib/json.ts';
import { deciding } from './deciding.ts';
import { shown } from './excerpt.ts';

const config = z.lazy(() =>
  z
    .strictObject({
      state: z
        .json()
        .optional()
        .describe('Expected final state of the world tools; by default other keys are allowed.'),
      match: z
        .enum(['partial', 'exact'])
        .optional()
        .describe('How `state` is compared, as for `params` of mocks. Default: partial.'),
      digest: z
        .string()
        .regex(/^[0-9a-f]{64}$/, 'must be a sha-256 in lower-case hex')
        .optional()
        .describe('sha-256 of the RFC 8785 JSON of the whole state.'),
      changed_only: z
        .array(z.string().min(1))
        .optional()
        .describe('Dotted paths that may change; an empty list: nothing may change.'),
    })
    .refine(({ state, digest, changed_only }) => (state ?? digest ?? changed_only) !== undefined, {
      error: 'give at least one of `state`, `digest`, `changed_only`',
    }),
);

type Config = z.infer<typeof config>;

export const worldState: GraderPlugin<Config> = {
  type: 'world_state',
  version: 1,
  summary: 'The final state of the world tools is as expected.',
  config,
  create: (options) =>
    deciding(({ world }) => {
      if (world === undefined)
        throw new Error(
          'the trial has no world state, because no mock of the case uses a tool of a world module',
        );
      return decide(world, options);
    }),
};

function decide(
  { state, digest, difference }: WorldOutcome,
  { state: expected, match = 'partial', digest: wanted, changed_only }: Config,
): Finding {
  const paths = expected === undefined ? [] : differingPaths(expected, state, match);
  const stray =
    changed_only === undefined ? [] : difference.filter((change) => !isBelow(change, changed_only));
  const problems = [
    ...(paths.length === 0 ? [] : [`the state is not as expected at ${paths.map(whole).join(', ')}`]),
    ...(wanted === undefined || wanted === digest ? [] : [`the digest of the state is ${digest}`]),
    ...(stray.length === 0 ? [] : [`unexpected changes: ${stray.map(dotted).join(', ')}`]),
  ];
  const evidence = difference.map((change) => evidenceOf(change, stray));
  if (problems.length === 0) return verdictFinding(true, 'the state is as expected', evidence);
  return verdictFinding(false, problems.join('; '), evidence);
}

function isBelow(change: StateChange, allowed: readonly string[]): boolean {
  const path = dotted(change);
  return allowed.some((each) => path === each || path.startsWith(`${each}.`));
}

function evidenceOf(change: StateChange, stray: readonly StateChange[]): Evidence {
  const told = (value: unknown) => (value === undefined ? 'nothing' : shown(value, 80));
  const text = `${whole(dotted(change))}: ${told(change.before)} became ${told(change.after)}`;
  return { text, passed: !stray.includes(change) };
}

function dotted({ path }: StateChange): string {
  return path.join('.');
}

function whole(path: string): string {
  return path === '' ? '(the whole)' : path;
}
