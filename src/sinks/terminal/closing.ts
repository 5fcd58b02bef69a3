import type { Screen } from '../../core/log.ts';
import type { Manifest } from '../../core/manifest.ts';
import { stripLine } from '../../lib/text/terminal-text.ts';
import { partialText } from '../../reading/partial-text.ts';
import { printGates } from './gates.ts';

/** The lines below the results of a run. */
export interface Closing {
  readonly manifest: Pick<Manifest, 'gates' | 'baseline' | 'noEvidence' | 'partial'>;
  /** What the budget refused, as text. */
  readonly refused?: string | undefined;
  /** How reliable its judges are, one line per judge. */
  readonly judges: readonly string[];
  /** Shows the whole comparison with the baseline. Absent: only its sentence is known. */
  readonly showBaseline?: ((screen: Screen) => void) | undefined;
}

/** The last lines about a run: of the command that ran it, and of those that show it later. */
export function printClosing(screen: Screen, { manifest, refused, judges, showBaseline }: Closing): void {
  const { gates, baseline, noEvidence, partial } = manifest;
  if (refused !== undefined) screen.write(`Stopped by the budget: ${refused}.\n`);
  for (const line of judges) screen.write(`${line}\n`);
  if (gates !== undefined) printGates(screen, gates);
  if (baseline !== undefined) {
    const head = `\nAgainst the baseline ${stripLine(baseline.base)}:`;
    screen.write(showBaseline === undefined ? `${head} ${stripLine(baseline.sentence)}\n` : `${head}\n`);
    showBaseline?.(screen);
  }
  if (noEvidence !== undefined) screen.write(`\n${stripLine(noEvidence)}\n`);
  if (partial !== undefined) screen.write(`\n${stripLine(partialText(partial))}\n`);
}
