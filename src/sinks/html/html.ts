import { fileReport } from '../output-file.ts';

/** The results as one HTML page without scripts, other files or network access. */
export const html = fileReport(
  {
    type: 'html',
    summary: 'one self-contained page with results, grades and transcripts',
    defaultFile: 'report.html',
  },
  async ({ reader }, file) => {
    const { writePage } = await import('./page.ts');
    await writePage(reader, file, { trials: 2000, transcripts: 300 });
  },
);
