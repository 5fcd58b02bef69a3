import { intCoreTag, NOT_RESOLVED } from 'js-yaml';

import { parseYaml, type ParsedYaml } from './parse-yaml.ts';

export const ROUNDED = 'is a whole number that would be rounded; in quotes it is kept as it is written';

/** The value of a JSON text; whole numbers that a double would round are bigints, for the check to refuse. */
export function exactJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (!MAY_ROUND.test(text)) return value;
  const marked = text.replaceAll(TOKEN, (token) => (isRounded(token) ? `"${MARK}${token}"` : token));
  if (marked === text) return value;
  return JSON.parse(marked, (_, member: unknown) =>
    typeof member === 'string' && MARKED.test(member) ? BigInt(member.slice(1)) : member,
  );
}

/** The same of a YAML document. */
export function exactYaml(text: string): ParsedYaml {
  return parseYaml(text, 'aliases', [exactInteger]);
}

const exactInteger = {
  ...intCoreTag,
  resolve(source: string, isExplicit: boolean, tagName: string) {
    const value = intCoreTag.resolve(source, isExplicit, tagName);
    return value !== NOT_RESOLVED && Math.abs(value) > Number.MAX_SAFE_INTEGER
      ? asWritten(source, value)
      : value;
  },
};

/** The number itself where a double holds it. */
function asWritten(source: string, value: number): number | bigint {
  const digits = source.replace(/^[-+]/, '');
  const written = source.startsWith('-') ? -BigInt(digits) : BigInt(digits);
  return Number.isFinite(value) && BigInt(value) === written ? value : written;
}

function isRounded(token: string): boolean {
  return /^-?\d{16,}$/.test(token) && typeof asWritten(token, Number(token)) === 'bigint';
}

const MAY_ROUND = /\d{16}/;

/** Texts are tokens too, so that what stands in them is not touched. */
const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;

// No text of a case may hold this character, so nothing that is written is taken for a mark.
const MARK = String.raw`\u0000`;
const MARKED = /^\u0000-?\d+$/;
