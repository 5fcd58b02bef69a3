import type { Screen } from '../../core/log.ts';
import type { Manifest } from '../../core/manifest.ts';
import type { Row } from '../../core/run.ts';
import { printableLine } from '../../lib/text/printable-json.ts';
import { derivedTotals } from '../../reading/derived-totals.ts';
import { graderCounts } from '../../reading/grader-totals.ts';
import { scaleOfRun } from '../../reading/phrases.ts';
import { graderLines } from '../../sinks/terminal/graders.ts';
import { paletteFor } from '../../sinks/terminal/palette.ts';

/** Shows how often each grader passed, for each target. */
export async function showGraders(
  rows: AsyncIterable<Row>,
  manifest: Pick<Manifest, 'id' | 'settings' | 'suites' | 'targets'>,
  { form, screen }: { readonly form: 'text' | 'json'; readonly screen: Screen },
): Promise<void> {
  const counts = graderCounts();
  for await (const row of rows) counts.add(row);
  const graders = counts.totals(manifest.targets.map(({ name }) => name));
  const derived = derivedTotals(graders, manifest);
  if (form === 'json') return screen.write(printableLine({ run: manifest.id, graders, derived }));
  const notes = { left: counts.left(), derived, scale: scaleOfRun(manifest) };
  const style = { columns: screen.columns, palette: paletteFor(screen.colour) };
  screen.write(`${graderLines(graders, notes, style).join('\n')}\n`);
}
