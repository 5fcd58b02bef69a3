import type { IncomingMessage } from 'node:http';
import { pipeline, Transform, type Readable } from 'node:stream';
import type * as Zlib from 'node:zlib';

/**
 * An answer without its content encodings; unknown encodings are left. `broken` is called once with the reason when it
 * ends early.
 */
export function decodedOf(
  response: IncomingMessage,
  broken: (error: NodeJS.ErrnoException) => void,
): Readable {
  const codings = (response.headers['content-encoding'] ?? '')
    .split(',')
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== '' && coding !== 'identity');
  if (codings.length === 0 || !codings.every(isKnown)) return response.on('error', broken);
  const zlib = process.getBuiltinModule('node:zlib');
  const decoders = codings.toReversed().map((coding) => DECODERS[coding](zlib));
  pipeline([response, ...decoders], (error) => {
    if (error !== null && error !== undefined) broken(error);
  });
  return decoders.at(-1) ?? response;
}

type Coding = 'gzip' | 'x-gzip' | 'deflate' | 'br';

/** Data is passed on at once, because some servers omit the last bytes. */
const DECODERS: Readonly<Record<Coding, (zlib: typeof Zlib) => Transform>> = {
  gzip: (zlib) => zlib.createGunzip(flushing(zlib)),
  'x-gzip': (zlib) => zlib.createGunzip(flushing(zlib)),
  deflate: inflating,
  br: (zlib) => {
    const flush = zlib.constants.BROTLI_OPERATION_FLUSH;
    return zlib.createBrotliDecompress({ flush, finishFlush: flush });
  },
};

function isKnown(coding: string): coding is Coding {
  return Object.hasOwn(DECODERS, coding);
}

function flushing({ constants }: typeof Zlib): Zlib.ZlibOptions {
  return { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH };
}

/** Servers differ in whether `deflate` has a zlib header; its first byte shows it. */
function inflating(zlib: typeof Zlib): Transform {
  let inflate: Transform | undefined;
  return new Transform({
    transform(chunk: Buffer, _, done) {
      if (inflate === undefined) {
        const hasHeader = ((chunk[0] ?? 0) & 0x0f) === 0x08;
        inflate = hasHeader ? zlib.createInflate(flushing(zlib)) : zlib.createInflateRaw(flushing(zlib));
        inflate.on('data', (data) => this.push(data)).on('error', (error) => this.destroy(error));
      }
      inflate.write(chunk, () => done());
    },
    flush(done) {
      if (inflate === undefined) return done();
      inflate.once('end', () => done()).end();
    },
  });
}
