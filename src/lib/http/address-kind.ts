/** Where an address leads: to the internet, into a network of one's own or this machine, or to a neighbour on the wire. */
export type AddressKind = 'public' | 'private' | 'link-local';

/**
 * The kind of an IP address, also of an IPv4 address that is written inside of an IPv6 address. A text that is not an
 * address counts as link-local, the kind that is never connected to.
 */
export function addressKind(address: string): AddressKind {
  const [plain = ''] = address.split('%');
  const four = bytesOf(plain);
  if (four !== undefined) return kindOfFour(four);
  const groups = groupsOf(plain);
  return groups === undefined ? 'link-local' : kindOfSix(groups);
}

type Four = readonly [number, number, number, number];

function kindOfFour([a, b, c]: Four): AddressKind {
  if (a === 169 && b === 254) return 'link-local';
  const isPrivate =
    a === 0 ||
    a === 10 ||
    a === 127 ||
    (a === 100 && b >= 64 && b < 128) ||
    (a === 172 && b >= 16 && b < 32) ||
    (a === 192 && (b === 168 || (b === 0 && c === 0))) ||
    (a === 198 && (b === 18 || b === 19)) ||
    a >= 224;
  return isPrivate ? 'private' : 'public';
}

function kindOfSix(groups: readonly number[]): AddressKind {
  const [first = 0] = groups;
  if (first >= 0xfe80 && first <= 0xfebf) return 'link-local';
  const inside = fourInside(groups);
  if (inside !== undefined) {
    const kind = kindOfFour(inside);
    if (kind !== 'public') return kind;
  }
  // Of the rest only 2000::/3 is handed out; 64:ff9b::/96 leads to IPv4.
  return (first >= 0x2000 && first <= 0x3fff) || inside !== undefined ? 'public' : 'private';
}

/** The IPv4 address in ::/96, ::ffff:0:0/96, ::ffff:0:0:0/96, 64:ff9b::/96 and 2002::/16. */
function fourInside(groups: readonly number[]): Four | undefined {
  const [first, second = 0, third = 0] = groups;
  if (first === 0x2002) return fourOf(second, third);
  const prefix = groups.slice(0, 6).join(',');
  const isMapped = ['0,0,0,0,0,0', '0,0,0,0,0,65535', '0,0,0,0,65535,0', '100,65435,0,0,0,0'].includes(
    prefix,
  );
  return isMapped ? fourOf(groups[6] ?? 0, groups[7] ?? 0) : undefined;
}

function fourOf(high: number, low: number): Four {
  return [high >> 8, high & 0xff, low >> 8, low & 0xff];
}

function bytesOf(text: string): Four | undefined {
  const parts = text.split('.');
  if (parts.length !== 4 || !parts.every((part) => /^\d{1,3}$/.test(part))) return undefined;
  const [a = 256, b = 256, c = 256, d = 256] = parts.map(Number);
  return Math.max(a, b, c, d) > 255 ? undefined : [a, b, c, d];
}

/** The eight groups of an IPv6 address, whose spellings a URL knows. */
function groupsOf(text: string): readonly number[] | undefined {
  const url = `http://[${text}]`;
  if (!/^[0-9a-f:.]+$/i.test(text) || !URL.canParse(url)) return undefined;
  const [left = '', right = ''] = new URL(url).hostname.slice(1, -1).split('::');
  const [before, after] = [hexGroups(left), hexGroups(right)];
  return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after];
}

function hexGroups(text: string): readonly number[] {
  return text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
}
