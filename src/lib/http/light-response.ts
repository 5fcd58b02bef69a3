/** A received answer; headers are alternating names and values. */
export interface Answered {
  readonly status: number;
  readonly statusText: string;
  readonly rawHeaders: readonly string[];
  readonly body: ReadableStream<Uint8Array<ArrayBuffer>> | null;
}

/**
 * An answer in the form of `fetch`. Creating a real `Response` takes as long as reading the answer of a model, so a
 * real one is created only for rarely used members.
 */
export function lightResponse(answered: Answered, place: Pick<Response, 'url' | 'redirected'>): Response {
  const { status, statusText, rawHeaders, body } = answered;
  const headers = lightHeaders(rawHeaders);
  let made: Response | undefined;
  const whole = (): Response => (made ??= new Response(body, { status, statusText, headers: [...headers] }));
  // The typings of Node 20 lack some members.
  const later = { bytes: async () => new Uint8Array(await whole().arrayBuffer()) };
  return {
    ok: status >= 200 && status < 300,
    status,
    statusText,
    headers,
    ...place,
    type: 'default',
    get body() {
      return made === undefined ? body : made.body;
    },
    get bodyUsed() {
      return made?.bodyUsed ?? body?.locked ?? false;
    },
    text: () => whole().text(),
    json: () => whole().json(),
    arrayBuffer: () => whole().arrayBuffer(),
    ...later,
    blob: () => whole().blob(),
    formData: () => whole().formData(),
    clone: () => whole().clone(),
  };
}

/** Read-only. */
function lightHeaders(raw: readonly string[]): Headers {
  const listed = new Map<string, string>();
  const cookies: string[] = [];
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = (raw[i] ?? '').toLowerCase();
    const value = raw[i + 1] ?? '';
    if (name === 'set-cookie') cookies.push(value);
    const before = listed.get(name);
    listed.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  const entries = () => listed.entries();
  const headers: Headers = {
    get: (name) => listed.get(name.toLowerCase()) ?? null,
    has: (name) => listed.has(name.toLowerCase()),
    getSetCookie: () => cookies,
    keys: () => listed.keys(),
    values: () => listed.values(),
    entries,
    [Symbol.iterator]: entries,
    forEach: (each) => listed.forEach((value, name) => each(value, name, headers)),
    append: readOnly,
    set: readOnly,
    delete: readOnly,
  };
  return headers;
}

function readOnly(): never {
  throw new TypeError('the headers of an answer cannot be changed');
}
