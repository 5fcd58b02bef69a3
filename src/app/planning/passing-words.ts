import type { Demands, GraderPlugin, PluginsByType } from '../../core/plugin.ts';
import type { Expectation, TestCase } from '../../core/test-case.ts';
import { capitalized } from '../../lib/text/capitalized.ts';

interface Graded extends Pick<TestCase, 'expectations' | 'scoredIn'> {
  /** The score that is needed, 0 to 1. */
  readonly threshold: number;
}

/** What counts as passing a case: its conditions as sentences, of which all must hold. Empty: nothing is graded. */
export function passingWords(
  { expectations, threshold, scoredIn }: Graded,
  graders: Graders,
): readonly string[] {
  const asked = expectations.map((expectation) => ({
    expectation,
    demands: demandsOf(expectation, graders),
  }));
  const gates = asked.flatMap(({ expectation: { required }, demands: { always, scored } }) => [
    ...(always === undefined ? [] : [always]),
    ...(required === undefined || scored === undefined ? [] : [scored]),
  ]);
  const parts = asked.flatMap(({ expectation: { weight }, demands: { scored } }) =>
    weight > 0 && scored !== undefined ? [scored] : [],
  );
  const words = scoreWords(parts, threshold, scoredIn);
  return [...gates.map((gate) => `${capitalized(gate)}.`), ...(words === undefined ? [] : [words])];
}

type Graders = Pick<PluginsByType<GraderPlugin>, 'get'>;

function demandsOf({ name, type, negate, config }: Expectation, graders: Graders): Demands {
  const plugin = graders.get(type);
  const { always, scored }: Demands = plugin?.demands?.(config) ?? { scored: `the check "${name}" passes` };
  const not = (demand: string) => (negate === true ? `this does not hold: ${demand}` : demand);
  return {
    ...(always === undefined ? {} : { always: not(always) }),
    ...(scored === undefined ? {} : { scored: not(scored) }),
  };
}

function scoreWords(
  parts: readonly string[],
  threshold: number,
  scoredIn: TestCase['scoredIn'],
): string | undefined {
  if (parts.length === 0) return undefined;
  if (threshold === 0) return 'The score is only shown and decides nothing.';
  const all = [...new Set(parts)].join('; ');
  const least = scoredIn === 'percent' ? `${Number((threshold * 100).toFixed(2))} of 100` : String(threshold);
  return `The score is at least ${least}: ${all}.`;
}
