import { given } from '../../lib/given.ts';
import { isObject } from '../../lib/json.ts';
import type { Path } from '../yaml/fault.ts';
import type { Importing } from './notes.ts';
import { renamedIn } from './template-vars.ts';

/** The variables of a test for `prefix` and `suffix` in its `options`. */
export function enclosingVars(
  options: unknown,
  { path, importing }: { readonly path: Path; readonly importing: Importing },
): Readonly<Record<string, unknown>> {
  if (!isObject(options)) return {};
  const textOf = (key: string) => renamedIn(options[key], [...path, key], importing);
  return given({ __prefix: textOf('prefix'), __suffix: textOf('suffix') });
}
