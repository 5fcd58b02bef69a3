import { randomUUID } from 'node:crypto';

import type { Frozen } from '../../../core/run.ts';
import { sha256 } from '../../../lib/digest.ts';
import { isObject, type JsonObject, type JsonValue } from '../../../lib/json.ts';
import type { Redaction } from '../../runs/redaction.ts';

/** The body of a frozen copy as its row has it. */
export interface WrittenBody {
  /** JSON, with `PART_MARK` instead of the part. */
  readonly body: string;
  /** A member of a member that the copy before had, too. */
  readonly part?: BodyPart;
}

export interface BodyPart {
  readonly content: string;
  readonly body: string;
  /** Its place: two keys with a slash between them. */
  readonly at: string;
}

/** Characters from which a part is kept for itself. */
const MIN_PART = 500;

/**
 * Writes bodies, whose secrets the caller removes. A part of an expectation that is the same object as in the body before is
 * serialised and kept once; one that may hold secrets is not put aside.
 */
export function bodyWriter(redaction: Redaction): (copy: Pick<Frozen, 'kind' | 'body'>) => WrittenBody {
  const partOf = knownParts(redaction);
  return ({ kind, body }) => {
    const part = kind === 'expectation' && isObject(body) ? sharedPart(body, partOf) : undefined;
    if (part === undefined) return { body: JSON.stringify(body) };
    const [head = '', tail = ''] = JSON.stringify(marked(body as JsonObject, part.at)).split(QUOTED);
    return { body: head + PART_MARK + tail, part };
  };
}

/** Stands in no JSON text. */
export const PART_MARK = '\u0001';

/** Occurs in no other text. */
const MARK = randomUUID();
const QUOTED = `"${MARK}"`;

function marked(body: JsonObject, at: string): JsonObject {
  const [outer, inner] = keysOf(at);
  return { ...body, [outer]: { ...(body[outer] as JsonObject), [inner]: MARK } };
}

function keysOf(at: string): readonly [string, string] {
  const [outer = '', inner = ''] = at.split('/');
  return [outer, inner];
}

type PartOf = (value: object, at: string) => BodyPart | undefined;

/** Keys of users may be anything, and their values are seldom shared. */
const PLAIN_KEY = /^[a-z_]+$/i;

/** The first part of a body that the body before had, too. */
function sharedPart(body: Record<string, unknown>, partOf: PartOf): BodyPart | undefined {
  for (const outer in body) {
    const member = body[outer];
    if (!isObject(member) || !PLAIN_KEY.test(outer)) continue;
    for (const inner in member) {
      const value = member[inner];
      if (typeof value !== 'object' || value === null || !PLAIN_KEY.test(inner)) continue;
      const part = partOf(value, `${outer}/${inner}`);
      if (part !== undefined) return part;
    }
  }
  return undefined;
}

function knownParts(redaction: Redaction): PartOf {
  const known = new Map<
    string,
    { readonly value: object; part?: BodyPart | undefined; isWritten: boolean }
  >();
  return (value, at) => {
    const before = known.get(at);
    if (before?.value !== value) {
      if (before !== undefined || known.size < MOST_PLACES) known.set(at, { value, isWritten: false });
      return undefined;
    }
    if (!before.isWritten) before.part = partIn(value, at, redaction);
    before.isWritten = true;
    return before.part;
  };
}

/** Keys of users may be of any number. */
const MOST_PLACES = 100;

/** Undefined: it is small, or may hold a secret. */
function partIn(value: object, at: string, redaction: Redaction): BodyPart | undefined {
  const body = JSON.stringify(value);
  if (body.length < MIN_PART || redaction.mayTouch(body)) return undefined;
  return { content: sha256(body), body, at };
}

/** A body as it was before a part of it was put aside. Changed in place, so that the order of its keys stays. */
export function withPart(body: JsonValue, at: string, part: JsonValue): JsonValue {
  const [outer, inner] = keysOf(at);
  const member = isObject(body) ? body[outer] : undefined;
  if (isObject(member)) (member as Record<string, unknown>)[inner] = part;
  return body;
}
