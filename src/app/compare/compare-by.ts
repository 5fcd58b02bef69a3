import type { CaseComparison, RunComparison } from '../../core/run-comparison.ts';
import { compareAll } from '../../analysis/compare-cases.ts';
import { comparisonSentence } from '../../analysis/comparison-sentence.ts';
import type { Side } from '../../analysis/invalid-reasons.ts';
import { numbering } from '../../analysis/numbering.ts';
import { AssayError } from '../../core/errors.ts';
import type { Manifest } from '../../core/manifest.ts';
import { given } from '../../lib/given.ts';
import { nearest } from '../../lib/text/suggest.ts';
import { scaleOfRun } from '../../reading/phrases.ts';
import { caseNames } from './case-names.ts';
import { chosenFrom } from './chosen-from.ts';
import { gravestOf, unjudgedText, type ComparedRun, type CompareSettings } from './compare-stored.ts';
import { pooledTables, pooledTargets, type PooledTargets } from './pooled-tables.ts';

export interface CompareBySettings extends CompareSettings {
  /** The dimension, such as `prompt`. */
  readonly by: string;
  /** The value to compare the others with. Absent: the first. */
  readonly baseValue?: string | undefined;
}

/** Compares the values of a dimension over all variants of a run, each with the first value. */
export async function compareBy(
  compared: ComparedRun,
  { by, baseValue, options, maxErrored }: CompareBySettings,
): Promise<RunComparison> {
  const { run, manifest } = compared;
  const { base, others } = valuesOf(manifest, { by, baseValue });
  const pairs: { readonly base: Side; readonly candidate: Side }[] = [];
  for (const candidate of others) {
    // Each pair has its own numbers, because the cases of the base differ with its counterpart.
    const tables = await pooledTables(
      run,
      { base, candidate },
      { digests: manifest.digests, numbers: numbering() },
    );
    const side = (value: string, table: Side['table']): Side => ({
      name: `${by}=${value}`,
      runs: compared.trialsFrom,
      chosenFrom: chosenFrom(manifest),
      table,
      state: manifest.state,
      maxErrored: maxErrored ?? manifest.settings.maxErrored ?? 0,
    });
    pairs.push({
      base: side(base.value, tables.base),
      candidate: side(candidate.value, tables.candidate),
    });
  }
  const { on, comparisons: measured } = compareAll(pairs, options);
  const tested = measured.filter(({ result }) => result !== null).length;
  const comparisons = measured.map((each: CaseComparison, i) => {
    const value = others[i]?.value ?? '';
    const said = comparisonSentence(each, { margin: options.margin, targets: tested, ofWhat: 'values' });
    return {
      sentence: `${by} ${value} against ${base.value}: ${said}${unjudgedText(manifest)}`,
      newlyFallen: [],
      targets: { base: `${by}=${base.value}`, candidate: `${by}=${value}` },
      differs: [{ what: by, base: base.value, candidate: value }],
      ...each,
    };
  });
  const verdict = gravestOf(comparisons);
  const names = await caseNames(comparisons, [run]);
  return {
    verdict,
    sentence: comparisons.map(({ sentence }) => sentence).join('\n'),
    base: manifest.id,
    candidate: manifest.id,
    options: { ...options, on },
    comparisons,
    ...(scaleOfRun(manifest) === 'percent' ? { scoredIn: 'percent' as const } : {}),
    ...given({ caseNames: names }),
    unpaired: { base: [], candidate: [] },
  };
}

function valuesOf(manifest: Manifest, { by, baseValue }: Pick<CompareBySettings, 'by' | 'baseValue'>) {
  const pools = pooledTargets(manifest.targets, by);
  if (pools.length === 0) throw unknownDimension(manifest, by);
  const base = baseValue === undefined ? pools[0] : pools.find(({ value }) => value === baseValue);
  const others: readonly PooledTargets[] = pools.filter((each) => each !== base);
  const values = pools.map(({ value }) => value).join(', ');
  if (base === undefined) {
    throw refused(`${manifest.id} has no ${by} "${baseValue ?? ''}"`, `it has ${values}`);
  }
  if (others.length === 0)
    throw refused(`${manifest.id} has only one ${by}: ${values}`, 'a comparison needs two');
  return { base, others };
}

function unknownDimension({ id, targets }: Manifest, by: string): AssayError {
  const known = [...new Set(targets.flatMap(({ variant }) => Object.keys(variant?.values ?? {})))];
  const meant = nearest(by, known);
  const hint =
    known.length === 0 ? 'add `variants` to the config' : `its variants differ in ${known.join(', ')}`;
  return refused(
    `the variants of ${id} do not differ in "${by}"`,
    meant === undefined ? hint : `did you mean --by ${meant}?`,
  );
}

function refused(message: string, hint: string): AssayError {
  return new AssayError('unknown-target', message, { stage: 'plan', hint });
}
