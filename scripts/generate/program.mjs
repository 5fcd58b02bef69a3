import { pathToFileURL } from 'node:url';
import { inRoot } from '../lib/paths.mjs';

/** The output of the built program. One call at a time. Runs in this process, because fourteen starts of Node take seconds. */
export async function assay(...args) {
  const { main } = await import(pathToFileURL(inRoot('dist/cli/main.js')).href);
  const { stdout } = process;
  const { write, isTTY } = stdout;
  let text = '';
  stdout.write = (chunk) => {
    text += chunk;
    return true;
  };
  stdout.isTTY = false; // Otherwise the help would be as wide as the terminal.
  try {
    const code = await main(['node', 'assay', ...args]);
    if (code !== 0) throw new Error(`assay ${args.join(' ')} ended with ${code}`);
    return text;
  } finally {
    Object.assign(stdout, { write, isTTY });
    stdout.removeAllListeners('error'); // Each call of main adds one.
  }
}

export const title = (name, source) =>
  `<!-- Written by scripts/generate.mjs ${source}. Do not edit. -->\n\n# ${name}\n`;
