import { isObject } from '../../lib/json.ts';
import { codeArguments } from '../../lib/shell/code-arguments.ts';
import { fault, type Fault, type Path } from './fault.ts';

/** Scripts of an evaluator in which a value of `vars` would be run as code. */
export function scriptFaults(value: unknown, path: Path): readonly Fault[] {
  if (!isObject(value)) return [];
  const members = Array.isArray(value['assert']) ? value['assert'] : [];
  return [
    ...ownFaults(value['script'], [...path, 'script']),
    ...scriptFaults(value['aggregator'], [...path, 'aggregator']),
    ...members.flatMap((member: unknown, index) => scriptFaults(member, [...path, 'assert', index])),
  ];
}

function ownFaults(script: unknown, path: Path): readonly Fault[] {
  if (typeof script === 'string') return script.includes('{{') ? [runAsCode(path, 'a shell command')] : [];
  if (!Array.isArray(script)) return [];
  const words = script.map(String);
  return [...codeArguments(words)].flatMap(([index, reader]) =>
    words[index]?.includes('{{') === true
      ? [runAsCode([...path, index], `an argument that \`${reader}\` runs as code`)]
      : [],
  );
}

function runAsCode(path: Path, where: string): Fault {
  const message = `a value of \`vars\` is inserted into ${where}, so it could be run as a command`;
  const hint =
    'write `script` as a list with this value as a separate item, or pass the value in `config` of the evaluator';
  return fault('invalid-value', message, { path, hint });
}
