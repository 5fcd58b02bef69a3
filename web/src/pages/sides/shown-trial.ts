import type { TrialResource } from '../../../../src/api/resources/trial.ts';

type Listed = Pick<TrialResource, 'number' | 'verdict'>;

/** The trial that was chosen by its number, else the first one that did not pass, else the first one. */
export function shownTrial<Trial extends Listed>(
  trials: readonly Trial[],
  chosen: string | undefined,
): Trial | undefined {
  return (
    trials.find(({ number }) => String(number) === chosen) ??
    trials.find(({ verdict }) => verdict !== 'passed') ??
    trials[0]
  );
}
