import { execFileSync } from 'node:child_process';

import { expect, test } from 'vitest';
import { allowListed, GIT_VARIABLES, withoutGit } from './environment.ts';

test('only variables that programs need are kept', () => {
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

test('the list has every variable that git calls local to a repository', () => {
  const ofGit = execFileSync('git', ['rev-parse', '--local-env-vars'], { encoding: 'utf8' })
    .trim()
    .split('\n');
  const listed: readonly string[] = GIT_VARIABLES;
  expect(ofGit.filter((name) => !listed.includes(name))).toEqual([]);
});

test('what ties git to a repository is left out, its other settings stay', () => {
  const kept = { GIT_AUTHOR_NAME: 'me', GIT_SSH_COMMAND: 'ssh -q', PATH: '/bin' };
  const tied = { GIT_DIR: '/repo/.git', GIT_INDEX_FILE: 'index', GIT_NAMESPACE: 'other' };
  expect(withoutGit({ ...kept, ...tied })).toEqual(kept);
});
