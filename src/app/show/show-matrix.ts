import { resolve } from 'node:path';

import type { Screen } from '../../core/log.ts';
import type { Row } from '../../core/run.ts';
import type { Manifest } from '../../core/manifest.ts';
import { printableLine } from '../../lib/text/printable-json.ts';
import { matrixTrial, readMatrix } from '../../reading/matrix.ts';
import { answeredTrial, writeMatrixPage } from '../../sinks/html/matrix-page.ts';
import { markdownMatrix } from '../../sinks/markdown-matrix.ts';
import { writeReport } from '../../sinks/output-file.ts';
import { matrixLines } from '../../sinks/terminal/matrix.ts';
import { paletteFor } from '../../sinks/terminal/palette.ts';

/** How the matrix is shown: printed, or written to an HTML file. */
export type MatrixForm = 'text' | 'json' | 'markdown' | { readonly html: string };

export interface MatrixPlace {
  readonly screen: Screen;
  readonly cwd: string;
}

/** Shows the cases of a run against its targets. */
export async function showMatrix(
  rows: AsyncIterable<Row>,
  manifest: Pick<Manifest, 'id' | 'targets'>,
  { form, place: { screen, cwd } }: { readonly form: MatrixForm; readonly place: MatrixPlace },
): Promise<void> {
  if (typeof form === 'object') {
    const path = resolve(cwd, form.html);
    const matrix = await readMatrix(rows, manifest, answeredTrial);
    await writeReport(path, (file) => writeMatrixPage(matrix, manifest, file));
    return screen.write(`written to ${form.html}\n`);
  }
  const matrix = await readMatrix(rows, manifest, matrixTrial);
  switch (form) {
    case 'json':
      return screen.write(printableLine({ run: manifest.id, ...matrix }));
    case 'markdown':
      return screen.write(markdownMatrix(matrix, manifest));
    case 'text': {
      const style = { columns: screen.columns, palette: paletteFor(screen.colour) };
      return screen.write(`${matrixLines(matrix, manifest, style).join('\n')}\n`);
    }
    default:
      return form satisfies never;
  }
}
