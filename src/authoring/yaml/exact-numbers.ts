import { intCoreTag, NOT_RESOLVED } from 'js-yaml';

import { parseYaml, type ParsedYaml } from './parse-yaml.ts';

export const ROUNDED = 'is a whole number too large to be exact; put it in quotes to keep it';

/** Parses JSON text; whole numbers that a double would round become bigints, for the check to refuse. */
export function exactJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (!MAY_ROUND.test(text)) return value;
  const marked = text.replaceAll(TOKEN, (token) => (isRounded(token) ? `"${MARK}${token}"` : token));
  if (marked === text) return value;
  return JSON.parse(marked, (_, member: unknown) =>
    typeof member === 'string' && MARKED.test(member) ? BigInt(member.slice(1)) : member,
  );
}

/** The same for a YAML document. */
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

/** The number itself if a double holds it exactly. */
function asWritten(source: string, value: number): number | bigint {
  const digits = source.replace(/^[-+]/, '');
  const written = source.startsWith('-') ? -BigInt(digits) : BigInt(digits);
  return Number.isFinite(value) && BigInt(value) === written ? value : written;
}

function isRounded(token: string): boolean {
  return /^-?\d{16,}$/.test(token) && typeof asWritten(token, Number(token)) === 'bigint';
}

const MAY_ROUND = /\d{16}/;

/** Matches texts too, so that digits inside them are not changed. */
const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;

// A text of a case can never contain this character, so it is safe as a mark.
const MARK = String.raw`\u0000`;
const MARKED = /^\u0000-?\d+$/;
