import type { Route } from '../api/route.ts';
import { checkedBody, jsonBody, shapedBody } from '../app/access/json-body.ts';
import { AssayError } from '../core/errors.ts';
import type { ServerLimits } from '../core/server-limits.ts';
import { given } from '../lib/given.ts';
import { flowing } from './flowing.ts';
import { Refusal } from './refusal.ts';

/** The body of an upload. It can be read once. */
export interface UploadedBody {
  /** Media type, without parameters. */
  readonly type: string;
  readonly content: AsyncIterable<Uint8Array>;
}

const JSON_TYPE = 'application/json';

const NO_UPLOAD: UploadedBody = { type: '', content: (async function* () {})() };

/** The body of a request, checked against its route. Throws refusals. */
export async function readBody(
  { body: schema, checksBody, upload, method }: Route,
  request: Request,
  limits: Pick<ServerLimits, 'maxBodyBytes' | 'maxImportBytes'>,
): Promise<{ readonly body: unknown; readonly upload: UploadedBody }> {
  if (method === 'GET') return { body: undefined, upload: NO_UPLOAD };
  // Such a route takes no body as {}, so that it needs no type either.
  const mayBeEmpty = schema?.safeParse(undefined).success ?? upload === undefined;
  const type = typeOf(request, { types: upload?.types ?? [JSON_TYPE], isNeeded: !mayBeEmpty });
  const { maxBytes = limits.maxBodyBytes } = upload ?? {};
  const most = maxBytes === 'import' ? limits.maxImportBytes : maxBytes;
  refuseLength(request, most);
  const content = limited(request.body === null ? NO_UPLOAD.content : flowing(request.body), most);
  if (upload !== undefined) return { body: undefined, upload: { type, content } };
  const text = await textOf(content);
  if (schema === undefined) return { body: undefined, upload: NO_UPLOAD };
  const checked = checksBody === true ? shapedBody : checkedBody;
  if (mayBeEmpty && text === '') return { body: checked(schema, {}), upload: NO_UPLOAD };
  if (mayBeEmpty) typeOf(request, { types: [JSON_TYPE], isNeeded: true });
  return { body: checked(schema, parsed(text)), upload: NO_UPLOAD };
}

/** All bytes of a body. Throws 413 above `most`. */
export async function bytesOf(
  content: AsyncIterable<Uint8Array>,
  { most = Number.POSITIVE_INFINITY, hint }: { readonly most?: number; readonly hint?: string } = {},
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of limited(content, most, hint)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** The text of a body, which must be UTF-8. */
async function textOf(content: AsyncIterable<Uint8Array>): Promise<string> {
  const bytes = await bytesOf(content);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Refusal(400, {
      code: 'not-utf8',
      message: 'the body is not valid UTF-8',
      hint: 'send the body in UTF-8',
    });
  }
}

function typeOf(
  { headers }: Request,
  { types, isNeeded }: { readonly types: readonly string[]; readonly isNeeded: boolean },
): string {
  const written = headers.get('content-type');
  const type = (written ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (types.includes(type) || (!isNeeded && written === null)) return type;
  const got = written === null ? 'the request has no Content-Type' : `unsupported Content-Type "${written}"`;
  throw new Refusal(415, { code: 'media-type', message: got, hint: `send ${types.join(' or ')}` });
}

function refuseLength({ headers }: Request, most: number): void {
  if (Number(headers.get('content-length') ?? 0) > most) throw tooLarge(most);
}

function tooLarge(most: number, hint = 'send less in one request'): Refusal {
  return new Refusal(413, {
    code: 'body-too-large',
    message: `the body has more than ${most} bytes`,
    hint,
  });
}

async function* limited(
  body: AsyncIterable<Uint8Array>,
  most: number,
  hint?: string,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > most) throw tooLarge(most, hint);
    yield chunk;
  }
}

function parsed(text: string): unknown {
  try {
    return jsonBody(text);
  } catch (error) {
    if (!(error instanceof AssayError)) throw error;
    const { code, message, hint } = error;
    throw new Refusal(400, { code, message, ...given({ hint }) });
  }
}
