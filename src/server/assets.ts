import { readFile } from 'node:fs/promises';
import { extname, join, normalize, sep } from 'node:path';

import type { Handler } from 'hono';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
};

/** Serves the files of the dashboard, and its start page for every other address. */
export function assets(directory: string): Handler {
  return async ({ req }) => {
    const path = normalize(decoded(new URL(req.url).pathname));
    const file = join(directory, path);
    const asset =
      file.startsWith(directory + sep) && extname(file) in TYPES ? await contentOf(file) : undefined;
    if (asset !== undefined) {
      const isNamedByContent = path.startsWith(`${sep}assets${sep}`);
      return new Response(asset, {
        headers: {
          'Content-Type': TYPES[extname(file)] ?? 'application/octet-stream',
          'Cache-Control': isNamedByContent ? 'public, max-age=31536000, immutable' : 'no-cache',
        },
      });
    }
    const page = await contentOf(join(directory, 'index.html'));
    if (page === undefined)
      return new Response('the dashboard is not built (npm run build)\n', { status: 404 });
    return new Response(page, {
      headers: { 'Content-Type': TYPES['.html'] ?? '', 'Cache-Control': 'no-cache' },
    });
  };
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

async function contentOf(file: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  try {
    return Uint8Array.from(await readFile(file));
  } catch {
    return undefined;
  }
}
