/** Of an environment, what a program needs to run at all and what holds no secret. */
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
