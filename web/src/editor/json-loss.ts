import { placeIn, type JsonMistake } from './json-mistake.ts';

/** What a JSON text says and its value would not: a number that is rounded, or the first of two equal keys. */
export function jsonLoss(text: string): JsonMistake | undefined {
  const open: Set<string>[] = [];
  for (const { 0: token, 1: key, 2: number, index: at } of text.matchAll(TOKEN)) {
    if (token === '{' || token === '[') open.push(new Set());
    else if (token === '}' || token === ']') open.pop();
    else if (number !== undefined && !isExact(number))
      return { at, message: `${placeIn(text, at)}: ${ROUNDED}` };
    else if (key !== undefined) {
      const name = JSON.stringify(JSON.parse(key));
      if (open.at(-1)?.has(name) === true)
        return { at, message: `${placeIn(text, at)}: duplicate key ${name}` };
      open.at(-1)?.add(name);
    }
  }
  return undefined;
}

const ROUNDED = 'this number cannot be kept exactly, put it in quotes';

/** Texts too, so that nothing inside them counts. */
const TOKEN = /("(?:[^"\\]|\\.)*")\s*:|"(?:[^"\\]|\\.)*"|(-?\d[\d.eE+-]*)|[{}[\]]/g;

function isExact(number: string): boolean {
  const value = Number(number);
  if (!Number.isFinite(value)) return false;
  return /^-?\d+$/.test(number)
    ? BigInt(number) === BigInt(value)
    : digitsOf(number) === digitsOf(String(value));
}

/** The same for all ways to write a number: `1.50` and `15e-1`. */
function digitsOf(number: string): string {
  const [, sign = '', whole = '', part = '', power = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(number) ?? [];
  const digits = `${whole}${part}`.replace(/^0+/, '');
  const short = digits.replace(/0+$/, '');
  if (short === '') return '0';
  return `${sign}${short}e${Number(power) - part.length + digits.length - short.length}`;
}
