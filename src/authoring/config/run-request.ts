import * as z from 'zod';

import type { PlannedFault } from '../../core/test-case.ts';
import { given } from '../../lib/given.ts';
import { isObject } from '../../lib/json.ts';
import { jsonMapping } from '../../lib/text/json-value.ts';
import { camelKeys, snakeKeys } from '../../lib/text/key-case.ts';
import { check } from '../yaml/check.ts';
import { fault, type Fault, type Path, pathLabel } from '../yaml/fault.ts';
import { plannedFaults } from '../yaml/world-grammar.ts';
import { faultOf } from '../yaml/world-plan.ts';
import { judgeSettings, scriptedUser, userSettings } from './conversation-parts.ts';
import { waitingPlaces } from './expand.ts';
import type { Config } from './published-spellings.ts';
import { unknownTarget } from './references.ts';
import type { RunSettings } from './run-settings.ts';

/** What a request says of who talks, who judges and what is expected; an absent key is the config's. */
export interface RunRequest {
  readonly judge?: NonNullable<Config['judge']>;
  readonly user?: NonNullable<Config['user']>;
  /** Evaluator entries, as written. */
  readonly expectations?: RunSettings['expectations'];
  readonly faults?: readonly PlannedFault[];
}

const text = z.string().min(1);
const judge = z.strictObject(snakeKeys(judgeSettings.shape));
const simulated = z.strictObject(snakeKeys(userSettings.shape));

const schema = z.strictObject({
  judge: z.union([text, judge]).optional(),
  user: z.union([text, z.discriminatedUnion('type', [simulated, scriptedUser])]).optional(),
  expectations: z.array(z.union([text, jsonMapping()])).optional(),
  faults: plannedFaults.optional(),
});

/** Checks the part of a request that a config has as well, in the spelling of REST. `targets`: names of the config's. */
export function readRunRequest(
  value: unknown,
  targets: readonly string[],
): { readonly request?: RunRequest; readonly faults: readonly Fault[] } {
  const checked = check(schema, value);
  if (checked.value === undefined) return { faults: checked.faults ?? [] };
  const { judge: judged, user: played, expectations, faults } = checked.value;
  const wrong = [
    ...whoFaults(judged, ['judge'], targets),
    ...whoFaults(played, ['user'], targets),
    ...(['judge', 'user'] as const).flatMap((key) => references(checked.value[key], [key])),
  ];
  if (wrong.length > 0) return { faults: wrong };
  const request = given({
    judge: typeof judged === 'object' ? given(camelKeys(judged)) : judged,
    user: typeof played === 'object' ? userOf(played) : played,
    expectations,
    faults: faults?.map(faultOf),
  });
  return { request, faults: [] };
}

function userOf(
  written: Exclude<z.output<typeof schema>['user'], string | undefined>,
): NonNullable<RunRequest['user']> {
  if (written.type === 'scripted') return written;
  // With and without `type`, it is the same request.
  const { type: _type, ...settings } = written;
  return given(camelKeys(settings));
}

/** Only targets of the config, since `replay:RUN` may be any folder. */
function whoFaults(written: unknown, path: Path, targets: readonly string[]): readonly Fault[] {
  if (isObject(written) && written['model'] !== undefined && written['target'] !== undefined) {
    const at = [...path, 'target'];
    return [
      fault('invalid-value', `${pathLabel(at)}: cannot be used together with \`model\``, {
        path: at,
        hint: 'keep one of the two',
      }),
    ];
  }
  const [name, at] = isObject(written) ? [written['target'], [...path, 'target']] : [written, path];
  return typeof name !== 'string' || targets.includes(name) ? [] : [unknownTarget(name, targets, at)];
}

/** What a request says is not filled with the environment of the server. */
function references(value: unknown, at: Path): readonly Fault[] {
  return waitingPlaces(value, at).map((path) => {
    const message = `${pathLabel(path)}: a request cannot refer to environment variables`;
    return fault('not-in-request', message, { path, hint: 'write it in the config of the server' });
  });
}
