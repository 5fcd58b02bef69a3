import type { ManifestHead } from '../../core/run-store.ts';
import { plural } from '../../lib/text/plural.ts';
import { stripLine } from '../../lib/text/terminal-text.ts';

/** What a server has begun, in a few lines. */
export function begunText({ id, suites, trials, targets, seed }: ManifestHead, url: string): string {
  const cases = suites.reduce((sum, suite) => sum + suite.cases, 0);
  const named = targets.map(({ name, type }) => `${name} (${type})`).join(', ');
  return [
    `${plural(cases, 'case')} of ${plural(suites.length, 'suite')}, ${plural(trials, 'trial')}`,
    `  targets: ${stripLine(named)}`,
    `  run ${id} of the server at ${stripLine(url)}; seed ${seed}`,
    '',
  ].join('\n');
}
