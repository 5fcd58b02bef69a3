/** The part of an environment that programs need to run and that contains no secrets. */
export function allowListed(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const allowed: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && (NAMES.has(name) || name.startsWith('LC_'))) allowed[name] = value;
  }
  return allowed;
}

const SYSTEM = ['PATH', 'LANG', 'TZ', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'TMPDIR'];
const PROXIES = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY'];
const CERTIFICATES = ['SSL_CERT_FILE', 'SSL_CERT_DIR', 'NODE_EXTRA_CA_CERTS'];

const NAMES = new Set([...SYSTEM, ...PROXIES, ...PROXIES.map((name) => name.toLowerCase()), ...CERTIFICATES]);

/**
 * An environment without variables that tie git to one repository, which programs started by a git hook would inherit.
 */
export function withoutGit<Env extends Readonly<Record<string, string | undefined>>>(env: Env): Env {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !ofGit.has(name))) as Env;
}

/** The output of `git rev-parse --local-env-vars`, for all versions of git, and what else ties git to a part of one repository. */
export const GIT_VARIABLES = [
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_COMMON_DIR',
  'GIT_CONFIG',
  'GIT_CONFIG_COUNT',
  'GIT_CONFIG_PARAMETERS',
  'GIT_DIR',
  'GIT_GRAFT_FILE',
  'GIT_IMPLICIT_WORK_TREE',
  'GIT_INDEX_FILE',
  'GIT_INTERNAL_SUPER_PREFIX',
  'GIT_NAMESPACE',
  'GIT_NO_REPLACE_OBJECTS',
  'GIT_OBJECT_DIRECTORY',
  'GIT_PREFIX',
  'GIT_QUARANTINE_PATH',
  'GIT_REPLACE_REF_BASE',
  'GIT_SHALLOW_FILE',
  'GIT_WORK_TREE',
] as const;

/** Whether it ties git to one repository, and no program gets it. */
export function tiesGit(name: string): boolean {
  return ofGit.has(name);
}

const ofGit: ReadonlySet<string> = new Set(GIT_VARIABLES);
