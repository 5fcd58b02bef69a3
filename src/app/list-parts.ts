import { given } from '../lib/given.ts';
import { allGraders, allTargets } from './registry.ts';
import { printableLine } from '../lib/text/printable-json.ts';

/** The types of graders or targets, as JSON or one line each. */
export async function listParts(what: 'graders' | 'targets', form: 'text' | 'json'): Promise<string> {
  const known = what === 'graders' ? await allGraders() : await allTargets();
  const parts = [...known.values()].map(({ type, version, summary, notYet }) => ({
    type,
    version,
    summary,
    available: notYet === undefined,
    ...given({ comesWith: notYet }),
  }));
  if (form === 'json') return printableLine(parts, 2);
  const width = Math.max(...parts.map(({ type }) => type.length));
  return parts
    .map(({ type, summary, comesWith }) => {
      const later = comesWith === undefined ? '' : ` (not available yet: comes with ${comesWith})`;
      return `${type.padEnd(width)}  ${summary}${later}\n`;
    })
    .join('');
}
