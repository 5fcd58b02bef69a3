import type { Sink } from '../../core/log.ts';
import type { SinkPlugin, SinkServices } from '../plugin.ts';
import { writeReportOf } from '../output-file.ts';

/** The results as one HTML page without scripts, other files or network access. */
export const html: SinkPlugin = {
  type: 'html',
  summary: 'one self-contained page with results, grades and transcripts',
  defaultFile: 'report.html',
  create: htmlSink,
};

function htmlSink(services: SinkServices): Sink {
  return {
    name: 'html',
    write: () => {},
    close: async () => {
      const { writePage } = await import('./page.ts');
      await writeReportOf({ type: 'html', defaultFile: 'report.html' }, services, (file) =>
        writePage(services.reader, file, { trials: 2000, transcripts: 300 }),
      );
    },
  };
}
