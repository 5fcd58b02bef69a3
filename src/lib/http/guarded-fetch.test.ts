import { describe, expect, onTestFinished, test } from 'vitest';

import { countingServer } from '../../../test/support/counting-server.ts';
import { addressGuard, type AddressRules } from './address-guard.ts';
import { forbiddenAddressIn } from './forbidden-address.ts';
import { openFetch } from './kept-fetch.ts';

const onlyPublic: AddressRules = { privateHosts: [] };
const leading = (to: string): Pick<AddressRules, 'lookup'> => ({ lookup: async () => [to] });

/** What came of a request: the answer, or why no connection was made. */
async function asked(url: string, rules: AddressRules, init?: RequestInit): Promise<string> {
  try {
    const response = await openFetch(addressGuard(rules))(url, init);
    return `${response.status} ${await response.text()}`;
  } catch (error) {
    return forbiddenAddressIn(error)?.message ?? String((error as Error).cause ?? error);
  }
}

describe('a guarded request', () => {
  test.each([
    ['an address', 'http://127.0.0.1:PORT', {}, '127.0.0.1'],
    ['a number', 'http://2130706433:PORT', {}, '127.0.0.1'],
    ['octal digits', 'http://0177.1:PORT', {}, '127.0.0.1'],
    ['an IPv4 address inside of IPv6', 'http://[::ffff:127.0.0.1]:PORT', {}, '::ffff:7f00:1'],
    ['every interface', 'http://0.0.0.0:PORT', {}, '0.0.0.0'],
    ['a name that resolves to it', 'http://agent.test:PORT', leading('127.0.0.1'), 'agent.test (127.0.0.1)'],
  ])('to a private address is not sent, written as %s', async (_, url, rules, shown) => {
    const server = await countingServer();
    const address = url.replace('PORT', String(server.port));
    expect(await asked(address, { ...onlyPublic, ...rules })).toBe(
      `connections to the private address ${shown} are not allowed`,
    );
    expect(server.connections()).toBe(0);
  });

  test('to a name of the system is looked up by the system', async () => {
    const server = await countingServer();
    expect(await asked(`http://localhost:${server.port}`, onlyPublic)).toMatch(
      /^connections to the private address localhost \((127\.0\.0\.1|::1)\) are not allowed$/,
    );
    expect(server.connections()).toBe(0);
  });

  test.each([
    'http://169.254.169.254/latest',
    'http://2852039166',
    'http://0xa9fea9fe/',
    'http://[::ffff:169.254.169.254]',
    'https://[fe80::1]',
    'http://[64:ff9b::a9fe:a9fe]',
  ])('to a link-local address is never sent: %s', async (url) => {
    const everything = { privateHosts: [new URL(url).hostname, '169.254.169.254'] };
    expect(await asked(url, everything)).toContain('link-local');
    expect(await asked(url, {})).toContain('link-local');
    expect(await asked('https://inner.test', leading('169.254.169.254'))).toBe(
      'connections to the link-local address inner.test (169.254.169.254) are not allowed',
    );
  });

  test('is not sent when one of the addresses of its name is forbidden', async () => {
    const server = await countingServer();
    const lookup = async () => ['127.0.0.1', '169.254.1.1'];
    expect(await asked(`http://two.test:${server.port}`, { lookup })).toContain('link-local');
    expect(server.connections()).toBe(0);
  });

  test.each([
    ['its name', ['agent.test']],
    ['its name and port', ['other.test', 'AGENT.test:PORT']],
    ['its address', ['127.0.0.1']],
    ['its address and port', ['127.0.0.1:PORT']],
  ])('to a private address is sent when the rules list %s', async (_, hosts) => {
    const server = await countingServer();
    const privateHosts = hosts.map((host) => host.replace('PORT', String(server.port)));
    const rules = { privateHosts, ...leading('127.0.0.1') };
    expect(await asked(`http://agent.test:${server.port}`, rules)).toBe('200 reached');
  });

  test.each([
    ['another port', ['agent.test:1', '127.0.0.1:1']],
    ['another name', ['test', 'my.agent.test', '[::1]']],
  ])('to a private address is not sent when the rules list %s', async (_, privateHosts) => {
    const server = await countingServer();
    const rules = { privateHosts, ...leading('127.0.0.1') };
    expect(await asked(`http://agent.test:${server.port}`, rules)).toContain('are not allowed');
    expect(server.connections()).toBe(0);
  });

  test('without rules for private addresses is sent to them', async () => {
    const server = await countingServer();
    expect(await asked(`http://127.0.0.1:${server.port}`, {})).toBe('200 reached');
    expect(await asked('http://none.test', { lookup: async () => [] })).toContain('ENOTFOUND');
  });

  test('never follows a redirect', async () => {
    const inner = await countingServer();
    const server = await countingServer((_, response) => {
      response.writeHead(302, { location: `http://127.0.0.1:${inner.port}` }).end('elsewhere');
    });
    expect(await asked(`http://127.0.0.1:${server.port}`, {}, { redirect: 'follow' })).toBe('302 elsewhere');
    expect(inner.connections()).toBe(0);
  });

  test('is not handed to a dispatcher of the process, nor sent in a form that cannot be guarded', async () => {
    const server = await countingServer();
    await fetch('data:,');
    const symbol = Symbol.for('undici.globalDispatcher.1');
    const usual: unknown = Reflect.get(globalThis, symbol);
    onTestFinished(() => void Reflect.set(globalThis, symbol, usual));
    class EnvHttpProxyAgent {
      dispatch() {
        throw new Error('sent by the proxy');
      }
    }
    Reflect.set(globalThis, symbol, new EnvHttpProxyAgent());
    const url = `http://127.0.0.1:${server.port}`;
    expect(await asked(url, {})).toBe('200 reached');
    expect(await asked(url, {}, { method: 'POST', body: new FormData() })).toContain(
      'the address guard cannot check this form of request',
    );
  });
});
