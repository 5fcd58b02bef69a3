import type { OpenArtifact } from '../core/run-store.ts';
import { streamOf } from './stream-of.ts';

interface Download {
  readonly name: string;
  /** Media type. Absent: bytes. */
  readonly type?: string;
  /** Size in bytes. Absent if it is produced while it is sent. */
  readonly bytes?: number;
  content: OpenArtifact['content'] | AsyncIterable<Uint8Array>;
}

/** A file that a browser saves instead of showing it. */
export function download({ name, type = 'application/octet-stream', bytes, content }: Download): Response {
  return new Response(streamOf(typeof content === 'function' ? content() : content), {
    headers: {
      'Content-Type': type,
      ...(bytes === undefined ? {} : { 'Content-Length': String(bytes) }),
      'Content-Disposition': `attachment; filename*=UTF-8''${encoded(name)}`,
    },
  });
}

/** Percent-encodes a file name for RFC 5987, which also excludes these characters. */
function encoded(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /['()*!]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
