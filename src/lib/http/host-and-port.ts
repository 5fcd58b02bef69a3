/** One place to connect to. */
export interface HostAndPort {
  /** In lower case; an IPv6 address without brackets. */
  readonly host: string;
  readonly port: number;
}

/** Reads `host:port` or `[IPv6]:port`; undefined if it is anything else. */
export function hostAndPort(text: string): HostAndPort | undefined {
  const found = FORM.exec(text);
  if (found === null) return undefined;
  const [, six, name = '', digits = ''] = found;
  const port = Number(digits);
  return port < 1 || port > 65_535 ? undefined : { host: (six ?? name).toLowerCase(), port };
}

/** The place that a URL with http or https leads to; undefined if it has no such place. */
export function placeOfUrl(url: string): HostAndPort | undefined {
  if (!URL.canParse(url)) return undefined;
  const { protocol, hostname, port } = new URL(url);
  const usual = protocol === 'https:' ? '443' : protocol === 'http:' ? '80' : undefined;
  return usual === undefined ? undefined : hostAndPort(`${hostname}:${port === '' ? usual : port}`);
}

/** Whether a host leads to this machine only. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}

const FORM = /^(?:\[([\da-fA-F:.]+)\]|([\w.-]+)):(\d{1,5})$/;
