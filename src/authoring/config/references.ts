import { isObject } from '../../lib/json.ts';
import { nearest } from '../../lib/text/suggest.ts';
import { fault, type Fault, type Path, pathLabel } from '../yaml/fault.ts';
import { holdsReference } from './expand.ts';
import { writtenNames, writtenTargets } from './written-targets.ts';

/** References to targets that the config does not have. */
export function referenceFaults(config: unknown): readonly Fault[] {
  if (!isObject(config)) return [];
  const targets = writtenTargets(config);
  const names = writtenNames(config);
  const roles: (readonly [unknown, Path])[] = [
    ...['judge', 'user'].map((key): [unknown, Path] => [config[key], [key]]),
    ...targets.map(({ keys, place }): [unknown, Path] => [keys['judge'], place(['judge'])]),
  ];
  const places: (readonly [unknown, Path])[] = [
    [config['target'], ['target']],
    ...roles.map(([role, path]): [unknown, Path] =>
      isObject(role) ? [role['target'], [...path, 'target']] : [role, path],
    ),
  ];
  return places.flatMap(([name, path]) =>
    typeof name !== 'string' || names.includes(name) || holdsReference(name) || isStoredRun(name)
      ? []
      : [unknownTarget(name, names, path)],
  );
}

/** The problem of a target name that the config does not have. */
export function unknownTarget(name: string, names: readonly string[], path: Path): Fault {
  const label = path.length === 0 ? '' : `${pathLabel(path)}: `;
  const message = `${label}unknown target ${JSON.stringify(name)}`;
  return fault('unknown-target', message, { path, hint: hintFor(name, names, path) });
}

/** `replay:RUN` replays the answers of a stored run; it is allowed wherever a target is named. */
export function isStoredRun(name: string): boolean {
  return name.startsWith(STORED_RUN) && name.length > STORED_RUN.length;
}

/** The run in such a name. */
export function storedRunOf(name: string): string {
  return name.slice(STORED_RUN.length);
}

const STORED_RUN = 'replay:';

function hintFor(name: string, names: readonly string[], path: Path): string {
  const meant = nearest(name, names);
  if (meant !== undefined) return `did you mean \`${meant}\`?`;
  const isModel = path.at(-1) !== 'target' && name.includes('/');
  if (isModel && path.length > 0) return `for a model write { model: ${JSON.stringify(name)} }`;
  const known = names.length === 0 ? 'the config has no targets' : `configured: ${names.join(', ')}`;
  return path[0] === 'judge' || path[0] === 'user'
    ? `${known}; for a model write { model: PROVIDER/NAME }`
    : known;
}
