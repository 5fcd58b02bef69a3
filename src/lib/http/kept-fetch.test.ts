import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';

import { openFetch } from './kept-fetch.ts';

const kept = openFetch();

async function listening(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function serving(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return await listening(server);
}

/** A server that does to every connection what no HTTP server would. */
async function misbehaving(meet: (socket: Socket) => void): Promise<string> {
  const server = createTcpServer((socket) => meet(socket.on('error', () => {})));
  onTestFinished(() => void server.close());
  return await listening(server);
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}

/** What a failed `fetch` tells those who classify it. */
async function failureOf(asking: Promise<unknown>) {
  const error = await asking.then(
    () => new Error('it did not fail'),
    (reason: unknown) => reason as Error,
  );
  const { message, code } = (error.cause ?? {}) as NodeJS.ErrnoException;
  return { name: error.name, message: error.message, cause: message, code };
}

describe('a request', () => {
  test('arrives with its method, headers and body, and its answer is read as that of any fetch', async () => {
    const url = await serving(async (request, response) => {
      const { method, headers } = request;
      const { host: _, connection: __, ...told } = headers;
      response.setHeader('set-cookie', ['a=1', 'b=2']).setHeader('x-two', ['1', '2']);
      response.writeHead(201).end(JSON.stringify({ method, told, body: await bodyOf(request) }));
    });
    const response = await kept(`${url}/path?query=1`, {
      method: 'post',
      headers: { 'X-Own': 'yes', 'user-agent': 'me' },
      body: 'Grüße',
    });
    const { ok, status, statusText, redirected, headers } = response;
    expect([ok, status, statusText, redirected, response.url]).toEqual([
      true,
      201,
      'Created',
      false,
      `${url}/path?query=1`,
    ]);
    expect([headers.get('X-Two'), headers.has('x-none'), headers.getSetCookie()]).toEqual([
      '1, 2',
      false,
      ['a=1', 'b=2'],
    ]);
    expect(await response.clone().json()).toEqual({
      method: 'POST',
      told: {
        'x-own': 'yes',
        'user-agent': 'me',
        accept: '*/*',
        'accept-encoding': 'gzip, deflate, br',
        'content-length': '7',
      },
      body: 'Grüße',
    });
    expect(JSON.parse(await response.text())).toMatchObject({ method: 'POST' });
    expect(response.bodyUsed).toBe(true);
  });

  test('reuses the connection of the request before, and fifty concurrent requests use fifty', async () => {
    const sockets = new Set<Socket>();
    const url = await serving((request, response) => {
      sockets.add(request.socket);
      setImmediate(() => response.end('fine'));
    });
    const ask = async () => await (await kept(url)).text();
    for (let i = 0; i < 3; i++) await ask();
    expect(sockets.size).toBe(1);
    for (let i = 0; i < 4; i++) await Promise.all(Array.from({ length: 50 }, ask));
    expect(sockets.size).toBe(50);
  });

  test.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['deflate', deflateRawSync],
    ['br', brotliCompressSync],
    ['gzip, br', (text: string) => brotliCompressSync(gzipSync(text))],
  ])('decodes an answer that is compressed with %s', async (coding, compressed) => {
    const text = 'an answer '.repeat(10_000);
    const url = await serving((_, response) => {
      response.setHeader('content-encoding', coding).end(compressed(text));
    });
    expect(await (await kept(url)).text()).toBe(text);
  });

  test('reads a streamed answer as it arrives, compressed or not', async () => {
    const url = await serving((request, response) => {
      const isCompressed = request.url === '/gzip';
      if (isCompressed) response.setHeader('content-encoding', 'gzip');
      response.write(isCompressed ? gzipSync('first').subarray(0, -8) : 'first');
    });
    for (const path of ['/plain', '/gzip']) {
      const { body } = await kept(`${url}${path}`);
      const reader = body?.getReader();
      const { value } = (await reader?.read()) ?? {};
      expect(new TextDecoder().decode(value)).toBe('first');
      await reader?.cancel();
    }
  });

  test('without a body in its answer has none to read', async () => {
    const url = await serving((_, response) => void response.writeHead(204).end());
    const response = await kept(url);
    expect([response.status, response.body, await response.text()]).toEqual([204, null, '']);
  });
});

describe('a redirect', () => {
  const site = () =>
    serving(async (request, response) => {
      const [, status = '', ...rest] = (request.url ?? '').split('/');
      if (status === 'end') {
        const { authorization, 'content-type': type } = request.headers;
        response.end(JSON.stringify([request.method, await bodyOf(request), type, authorization]));
      } else response.writeHead(Number(status), { location: `/${rest.join('/')}` }).end();
    });
  const init = {
    method: 'POST',
    body: '{}',
    headers: { 'content-type': 'application/json', authorization: 'Bearer key' },
  };

  test.each([
    ['302/307/end', ['GET', '', null, 'Bearer key']],
    ['303/end', ['GET', '', null, 'Bearer key']],
    ['307/308/end', ['POST', '{}', 'application/json', 'Bearer key']],
  ])('is followed: %s', async (path, seen) => {
    const url = await site();
    const response = await kept(`${url}/${path}`, init);
    expect([response.redirected, response.url]).toEqual([true, `${url}/end`]);
    expect(await response.json()).toEqual(seen);
  });

  test('to another origin does not take the key along', async () => {
    const other = await site();
    const url = await serving((_, response) => {
      response.writeHead(307, { location: `${other}/end` }).end();
    });
    expect(await (await kept(url, init)).json()).toEqual(['POST', '{}', 'application/json', null]);
  });

  test('is returned or refused if the request says so, and ends after twenty', async () => {
    const url = await serving((_, response) => void response.writeHead(302, { location: '/' }).end());
    expect((await kept(url, { redirect: 'manual' })).status).toBe(302);
    const failures = [failureOf(kept(url, { redirect: 'error' })), failureOf(kept(url))];
    expect((await Promise.all(failures)).map(({ message, cause }) => [message, cause])).toEqual([
      ['fetch failed', 'unexpected redirect'],
      ['fetch failed', 'redirect count exceeded'],
    ]);
  });
});

describe('what goes wrong', () => {
  test('on the way has the codes that Node has', async () => {
    const closed = await misbehaving((socket) => socket.end());
    const reset = await misbehaving((socket) => socket.once('data', () => socket.resetAndDestroy()));
    const cut = await misbehaving((socket) =>
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nthe beginning'),
    );
    const asking = [
      kept('http://127.0.0.1:1'),
      kept(closed),
      kept(reset),
      kept(cut).then((response) => response.text()),
      kept('http://'),
      kept('http://me:secret@127.0.0.1/'),
      kept('ftp://127.0.0.1/'),
    ];
    const failures = await Promise.all(asking.map(failureOf));
    expect(failures.map(({ message, code }) => [message, code])).toEqual([
      ['fetch failed', 'ECONNREFUSED'],
      ['fetch failed', 'UND_ERR_SOCKET'],
      ['fetch failed', 'ECONNRESET'],
      ['terminated', 'UND_ERR_SOCKET'],
      ['Failed to parse URL from http://', 'ERR_INVALID_URL'],
      ['Failed to parse URL from 127.0.0.1', 'ERR_INVALID_URL'],
      ['fetch failed', undefined],
    ]);
    const own = await failureOf(fetch(closed));
    expect(failures[1]).toEqual(own);
  });

  test('in the chunks of an answer that has begun breaks it off', async () => {
    let garble = (): void => {};
    const url = await misbehaving((socket) => {
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n');
        garble = () => void socket.write('no length\r\n');
      });
    });
    const response = await kept(url);
    garble();
    const failure = await failureOf(response.text());
    expect([failure.message, failure.code]).toEqual(['terminated', 'HPE_INVALID_CHUNK_SIZE']);
  });

  test('in a compressed body breaks it off', async () => {
    const url = await serving((_, response) => {
      response.setHeader('content-encoding', 'gzip').end('not compressed at all');
    });
    const response = await kept(url);
    expect(await failureOf(response.text())).toMatchObject({ message: 'terminated', code: 'Z_DATA_ERROR' });
  });

  test('an abort ends it with the reason, before, while it waits and while it reads', async () => {
    const url = await serving((request, response) => {
      if (request.url === '/body') response.write('first');
    });
    const reason = new Error('stopped');
    await expect(kept(url, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    const waiting = new AbortController();
    const asked = kept(url, { signal: waiting.signal });
    waiting.abort(reason);
    await expect(asked).rejects.toBe(reason);
    const reading = new AbortController();
    const response = await kept(`${url}/body`, { signal: reading.signal });
    const reader = response.body?.getReader();
    await reader?.read();
    reading.abort(reason);
    await expect(reader?.read()).rejects.toBe(reason);
  });
});

test('a request with its own dispatcher, such as a proxy of the environment, is sent by that dispatcher', async () => {
  await fetch('data:,');
  const symbol = Symbol.for('undici.globalDispatcher.1');
  const usual: unknown = Reflect.get(globalThis, symbol);
  onTestFinished(() => void Reflect.set(globalThis, symbol, usual));
  const url = await serving((_, response) => void response.end('past the proxy'));
  expect(await (await kept(url)).text()).toBe('past the proxy');
  class EnvHttpProxyAgent {
    dispatch() {
      throw new Error('sent by the proxy');
    }
  }
  Reflect.set(globalThis, symbol, new EnvHttpProxyAgent());
  expect(await failureOf(kept(url))).toMatchObject({ message: 'fetch failed', cause: 'sent by the proxy' });
});

describe('an answer that would fill the memory', () => {
  test.each([
    ['nested lists', '['.repeat(100_000)],
    ['nested objects of a stream', `data: ${'{"a":'.repeat(20_000)}`],
  ])('of %s is broken off, also when it is packed', async (_, text) => {
    const url = await serving((_request, response) => {
      response.setHeader('content-encoding', 'gzip').end(gzipSync(text));
    });
    const response = await kept(url);
    await expect(response.text()).rejects.toMatchObject({
      name: 'InvalidResponseSize',
      message: 'its JSON is nested more than 10000 levels deep',
    });
  });

  test('of 65 MB is broken off', async () => {
    const packed = gzipSync(Buffer.alloc(65 * 2 ** 20, 0x20));
    const url = await serving((_request, response) => {
      response.setHeader('content-encoding', 'gzip').end(packed);
    });
    const response = await kept(url);
    await expect(response.text()).rejects.toMatchObject({ message: 'it has more than 67108864 bytes' });
  });

  test('is allowed for as many brackets in strings, in sequence, or in events of a stream', async () => {
    const text = `["${'['.repeat(20_000)}\\"[",${'[],'.repeat(20_000)}[]]\n${': "[\r\n\r\ndata: {\n\n'.repeat(20_000)}`;
    const url = await serving((_request, response) => void response.end(text));
    expect(await (await kept(url)).text()).toBe(text);
  });
});
