import { readFile } from 'node:fs/promises';
import { basename, extname, sep } from 'node:path';

import { messageOf } from '../core/errors.ts';
import { jsonOf, textOf, type Part } from '../core/message.ts';
import { wayWithin } from '../lib/files/way-within.ts';
import type { JsonValue } from '../lib/json.ts';
import { fileUnusable } from './target-errors.ts';

export interface Inlining {
  /** Absolute folders. A file below one of them is shown by its relative path, any other file by its name. */
  readonly roots: readonly string[];
  readonly images: boolean;
}

/**
 * What stands as `content` of a message on the wire: text with files inlined as `<file path="...">`, a lone
 * JSON part as itself, and with images a list of `{type: text}` and `{type: image_url}` parts.
 */
export async function contentOf(parts: readonly Part[], inlining: Inlining): Promise<JsonValue> {
  if (parts.every((part) => 'text' in part || 'json' in part)) return jsonOf(parts) ?? textOf(parts);
  if (!parts.some((part) => 'image' in part)) return (await Promise.all(parts.map(asText))).join('\n');
  return await Promise.all(
    parts.map(async (part) =>
      'image' in part ? await imagePart(part.image, inlining) : { type: 'text', text: await asText(part) },
    ),
  );

  async function asText(part: Part): Promise<string> {
    if (!('file' in part)) return textOf([part]);
    const text = decodeText(await read(part.file), part.file);
    const gap = text === '' || text.endsWith('\n') ? '' : '\n';
    return `<file path=${JSON.stringify(shownPath(part.file, inlining.roots))}>\n${text}${gap}</file>`;
  }
}

async function imagePart(path: string, { images }: Inlining): Promise<JsonValue> {
  if (!images) throw imageRefused(path);
  const type = IMAGE_TYPES[extname(path).toLowerCase()];
  if (type === undefined) {
    throw fileUnusable(`${path}: unknown image type`, {
      hint: `use one of ${Object.keys(IMAGE_TYPES).join(' ')}`,
    });
  }
  const data = (await read(path)).toString('base64');
  return { type: 'image_url', image_url: { url: `data:${type};base64,${data}` } };
}

/** The error of an image for a target without image support. */
export function imageRefused(path: string): Error {
  return fileUnusable(`${path}: images are not enabled for this target`, {
    detail: 'image-refused',
    hint: 'if the agent accepts images, set `images: true` on the target; otherwise remove the image',
  });
}

async function read(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    throw fileUnusable(`${path}: cannot be read: ${messageOf(error)}`, {
      hint: 'correct the path in the case',
      cause: error,
    });
  }
}

function decodeText(bytes: Buffer, path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw fileUnusable(`${path}: not UTF-8 text; files are sent as text in the message`, {
      hint: 'use a text file',
    });
  }
}

function shownPath(path: string, roots: readonly string[]): string {
  for (const root of roots) {
    const below = wayWithin(root, path) ?? '';
    if (below !== '') return below.split(sep).join('/');
  }
  return basename(path);
}

const IMAGE_TYPES: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
};
