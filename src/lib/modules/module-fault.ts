import { createHmac } from 'node:crypto';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { digestOf } from '../digest.ts';
import { keepSigned, projectCache, readSigned } from '../files/project-cache.ts';
import { keptTransform, LOADER_OPTIONS, loaderVersion } from './kept-transform.ts';
import { moduleLoader } from './module-loader.ts';
import { signingKey } from './signing-key.ts';

/**
 * Why the content of a module is not TypeScript or JavaScript, with line and column; undefined when it is. That it is
 * one is kept in the project, because to load the loader and its parser takes longer than a short run.
 */
export function moduleFault(path: string, content: string): string | undefined {
  const kept = keptAnswer(path, content);
  if (kept?.isKnown() === true) return undefined;
  const fault = parsed(path, content);
  if (fault === undefined) kept?.keep();
  return fault;
}

/** The loader converts it as when it is imported, and keeps the result for that. */
function parsed(path: string, source: string): string | undefined {
  const transform = keptTransform(path);
  const jiti = moduleLoader().createJiti(pathToFileURL(path).href, { ...LOADER_OPTIONS, transform });
  const code = jiti.transform({ source, filename: path, ts: /\.[cm]?ts$/.test(path), ...AS_IMPORTED });
  const [, failed] = /__JITI_ERROR__ = (\{.*\})/s.exec(code) ?? [];
  if (failed === undefined) return undefined;
  const { line, column, message } = JSON.parse(failed) as Readonly<Record<string, string | number>>;
  return `${line}:${column}: ${String(message).trim()}`;
}

/** The rest of the request that the loader makes for an imported module. */
const AS_IMPORTED = { async: true, jsx: false };

/** Undefined if the project has no `.assay` folder of this account, or if the account has no signing key. */
function keptAnswer(path: string, content: string) {
  const key = signingKey();
  const folder = key === undefined ? undefined : projectCache(dirname(path), 'modules');
  if (key === undefined || folder === undefined) return undefined;
  const name = digestOf({ parses: content, path, version: loaderVersion() });
  const file = join(folder, `${name}.parses`);
  const sign = (text: string) =>
    createHmac('sha256', key)
      .update(JSON.stringify([name, text]))
      .digest();
  return { isKnown: () => readSigned(file, sign) === '', keep: () => keepSigned(file, '', sign) };
}
