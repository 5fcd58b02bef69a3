import { expect, test } from 'vitest';

import { hostAndPort, isLoopback, placeOfUrl } from './host-and-port.ts';

test.each([
  ['api.Example.com:443', { host: 'api.example.com', port: 443 }],
  ['[::1]:8080', { host: '::1', port: 8080 }],
  ['127.0.0.1:1', { host: '127.0.0.1', port: 1 }],
  ['example.com', undefined],
  ['example.com:0', undefined],
  ['example.com:65536', undefined],
  ['https://example.com:443', undefined],
  ['::1:80', undefined],
  ['a b:80', undefined],
])('the place in %s', (text, place) => {
  expect(hostAndPort(text)).toEqual(place);
});

test.each([
  ['https://example.com/v1', { host: 'example.com', port: 443 }],
  ['http://[::1]/v1', { host: '::1', port: 80 }],
  ['http://127.0.0.1:4010/v1', { host: '127.0.0.1', port: 4010 }],
  ['unix:///socket', undefined],
  ['not a url', undefined],
])('the place that the URL %s leads to', (url, place) => {
  expect(placeOfUrl(url)).toEqual(place);
});

test('only addresses of this machine are loopback', () => {
  const hosts = ['localhost', '127.0.0.1', '127.8.0.1', '::1', '127.example.com', '10.0.0.1', 'example.com'];
  expect(hosts.filter(isLoopback)).toEqual(['localhost', '127.0.0.1', '127.8.0.1', '::1']);
});
