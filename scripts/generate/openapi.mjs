import { readFileSync } from 'node:fs';
import { createJiti } from 'jiti';
import { inRoot } from '../lib/paths.mjs';

const jiti = createJiti(import.meta.url, { fsCache: false });

/** The document of the REST API, from the table of its routes. */
export async function openApiText() {
  const { openApi } = await jiti.import(inRoot('src/api/openapi.ts'));
  const { version } = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'));
  return `${JSON.stringify(openApi(version), undefined, 2)}\n`;
}
