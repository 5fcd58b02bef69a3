import { readFileSync } from 'node:fs';
import { createRequire, SourceMap } from 'node:module';

import type * as Jiti from 'jiti';

/** Line and column, both from 1. */
export interface PlaceInFile {
  readonly line: number;
  /** Absent when it is not certain. */
  readonly column?: number;
}

/**
 * The innermost place of a file in the stack of an error, in the original source. `since`: a plain JavaScript module
 * runs unchanged if it loads; a failing one was run again after the loader rewrote it.
 */
export function placeInStack(
  error: unknown,
  path: string,
  since: 'while-loading' | 'loaded',
): PlaceInFile | undefined {
  const frame = frameOf(error, path);
  if (frame === undefined) return undefined;
  const { isUrl, ...place } = frame;
  if (isUrl) return place;
  if (!TYPESCRIPT.test(path) && since === 'loaded') return { line: place.line };
  return { line: place.line, ...originalPlace(path, place) };
}

function frameOf(error: unknown, path: string) {
  const stack: unknown = error instanceof Error ? error.stack : undefined;
  for (const frame of typeof stack === 'string' ? stack.split('\n') : []) {
    const at = frame.indexOf(`${path}:`);
    const found = at === -1 ? null : /^:(\d+):(\d+)\b/.exec(frame.slice(at + path.length));
    if (found !== null)
      return { line: Number(found[1]), column: Number(found[2]), isUrl: frame.startsWith('file://', at - 7) };
  }
  return undefined;
}

const TYPESCRIPT = /\.[cm]?tsx?$/;

/** Converts a place in the loader's output to a place in the file. */
function originalPlace(path: string, { line, column }: Required<PlaceInFile>): PlaceInFile | undefined {
  try {
    const map = mapOf(path);
    const shift = line === 1 ? WRAPPER.length : 0;
    const found = map?.findEntry(line - 1, column - shift - 1);
    if (found === undefined || !('originalLine' in found) || found.generatedLine !== line - 1)
      return undefined;
    return { line: found.originalLine + 1, column: found.originalColumn + 1 };
  } catch {
    // The file was changed or removed since.
    return undefined;
  }
}

/** The text that the loader adds before the first line. */
const WRAPPER =
  '(async function (exports, require, module, __filename, __dirname, jitiImport, jitiESMResolve) { ';

function mapOf(path: string): SourceMap | undefined {
  const { createJiti } = createRequire(import.meta.url)('jiti') as typeof Jiti;
  const code = createJiti(path, { interopDefault: false, fsCache: false, sourceMaps: true }).transform({
    source: readFileSync(path, 'utf8'),
    filename: path,
    ts: TYPESCRIPT.test(path),
    async: true,
  });
  const [, encoded] = /\/\/# sourceMappingURL=data:application\/json[^,]*;base64,(\S+)\s*$/.exec(code) ?? [];
  if (encoded === undefined) return undefined;
  return new SourceMap(JSON.parse(Buffer.from(encoded, 'base64').toString('utf8')));
}
