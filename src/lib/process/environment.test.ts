import { expect, test } from 'vitest';
import { allowListed } from './environment.ts';

test('what a program needs is picked, everything else stays behind', () => {
  const needed = {
    PATH: '/bin',
    LANG: 'C',
    LC_ALL: 'C',
    TZ: 'UTC',
    HOME: '/home/me',
    USER: 'me',
    LOGNAME: 'me',
    SHELL: '/bin/sh',
    TMPDIR: '/tmp',
    HTTPS_PROXY: 'http://proxy',
    no_proxy: 'localhost',
    SSL_CERT_FILE: '/certificates',
    NODE_EXTRA_CA_CERTS: '/more',
  };
  const rest = { SECRET_API_KEY: 'x', LCX: 'x', Http_Proxy: 'x', PATHS: 'x', SSL_CERT_DIR: undefined };
  expect(allowListed({ ...needed, ...rest })).toEqual(needed);
});
