import { addressKind } from './address-kind.ts';

/** Decides for each connection whether it may be made, once its address is known. */
export interface AddressGuard {
  /** Why no connection may be made to this address; undefined: it may. */
  refusal(address: string, asked: AskedPlace): string | undefined;
  /** The addresses of a name; absent: the system is asked. */
  readonly lookup?: (name: string) => Promise<readonly string[]>;
}

/** Where a request is to go, as it was written. */
export interface AskedPlace {
  /** A name or an address. */
  readonly host: string;
  readonly port: number;
}

export interface AddressRules extends Pick<AddressGuard, 'lookup'> {
  /**
   * Private addresses that may be connected to, each as `host` or `host:port`: by the name that is asked, or by the address.
   * Absent: all of them.
   */
  readonly privateHosts?: readonly string[];
}

/** Never lets anything connect to link-local addresses, where cloud machines keep their credentials. */
export function addressGuard({ privateHosts, lookup }: AddressRules): AddressGuard {
  const places = privateHosts?.map(placeOf);
  return {
    refusal(address, asked) {
      const kind = addressKind(address);
      const where = asked.host === address ? address : `${asked.host} (${address})`;
      if (kind === 'link-local') return `connections to the link-local address ${where} are not allowed`;
      const isKnown = places?.some(
        ({ host, port }) =>
          [asked.host.toLowerCase(), address].includes(host) && (port === undefined || port === asked.port),
      );
      if (kind === 'public' || isKnown !== false) return undefined;
      return `connections to the private address ${where} are not allowed`;
    },
    ...(lookup === undefined ? {} : { lookup }),
  };
}

/** The refusal of a URL whose host is an address and not a name, in any spelling; undefined: it may be asked. */
export function literalRefusal(text: string, guard: AddressGuard): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { hostname, port, protocol } = new URL(text);
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  if (!/^[\d.]+$/.test(host) && !host.includes(':')) return undefined;
  return guard.refusal(host, { host, port: Number(port || (protocol === 'https:' ? 443 : 80)) });
}

/** An IPv6 address with a port stands in brackets. */
function placeOf(text: string): { readonly host: string; readonly port?: number } {
  const [, bracketed, plain = text, port] = /^(?:\[([^\]]+)\]|([^:]*))(?::(\d+))?$/.exec(text) ?? [];
  const host = (bracketed ?? plain).toLowerCase();
  return port === undefined ? { host } : { host, port: Number(port) };
}
