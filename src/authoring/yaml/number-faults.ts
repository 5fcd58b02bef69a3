import { fromLeaves, valueAt } from '../../lib/json.ts';
import { exactYaml, ROUNDED } from './exact-numbers.ts';
import { fault, pathLabel, type Fault, type Path } from './fault.ts';
import type { Fragment } from './source.ts';

/** Numbers that were changed by parsing: JSON cannot represent them, or a double rounds them. */
export function numberFaults(
  value: unknown,
  { fragment, path }: { readonly fragment: Fragment; readonly path: Path },
): readonly Fault[] {
  return [...infiniteFaults(value), ...roundedFaults(value, fragment, path)];
}

/** Numbers that are not finite. */
export function infiniteFaults(value: unknown): readonly Fault[] {
  return fromLeaves(value, [], (number, path) =>
    typeof number === 'number' && !Number.isFinite(number)
      ? [fault('invalid-value', 'a number must be finite', { path })]
      : [],
  );
}

/** Some whole numbers above the exact range of a double are still exact; only their text can tell. */
export function roundedFaults(value: unknown, fragment: Fragment, path: Path): readonly Fault[] {
  const suspects = unsafePaths(value);
  if (suspects.length === 0) return [];
  const exact = exactYaml(fragment.text());
  const placeOf = (each: Path): Path => fragment.written?.(each) ?? each;
  return suspects
    .filter(
      (each) => 'value' in exact && typeof valueAt(exact.value, placeOf([...path, ...each])) === 'bigint',
    )
    .map((each) => fault('invalid-value', `${pathLabel(each)}: ${ROUNDED}`, { path: each }));
}

/** Whether a value may contain a number that was rounded. */
export function mayHoldRounded(json: string): boolean {
  return /\d{15}/.test(json);
}

function unsafePaths(value: unknown): readonly Path[] {
  return fromLeaves(value, [], (number, path) =>
    Number.isInteger(number) && !Number.isSafeInteger(number) ? [path] : [],
  );
}
