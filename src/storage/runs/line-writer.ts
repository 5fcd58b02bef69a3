import { AssayError } from '../../core/errors.ts';
import type { Attached, Emitted, RunEvent } from '../../core/run.ts';
import { redactJson } from '../../lib/redact/redact-json.ts';
import { ATTACH_BYTES, detach } from './detach.ts';
import type { Redaction } from './redaction.ts';
import { SAFE_TEXTS } from './safe-texts.ts';
import { standIn } from './stand-in.ts';

/** A stored event, and its JSON with a line break. */
export interface Line {
  readonly event: RunEvent;
  readonly text: string;
  /** JSON of the row of a `trial-end`. */
  readonly row?: string;
}

/** A fact in its place; member by member, since objects made by a spread are slower to write. */
export function eventOf(sequence: number, { at, trial, attempt, fact }: Emitted): RunEvent {
  if (trial === undefined) return { sequence, at, fact };
  return attempt === undefined ? { sequence, at, trial, fact } : { sequence, at, trial, attempt, fact };
}

/** Stores a text separately. */
type Attach = (text: string) => Attached;

/** Creates the line of an event. An event that cannot be serialised makes its trial errored instead of ending the run. */
export function lineWriter(redaction: Redaction, attach: Attach): (event: RunEvent) => Line {
  const lineOf = lineMaker(redaction, attach);
  const spoilt = new Map<string, unknown>();
  return (event) => {
    const { trial, fact } = event;
    const before = trial === undefined ? undefined : spoilt.get(trial);
    if (before !== undefined && fact.type === 'trial-end') return lineOf(standIn(event, before));
    try {
      return lineOf(event);
    } catch (error) {
      if (trial === undefined || error instanceof AssayError) throw error;
      spoilt.set(trial, error);
      return lineOf(standIn(event, error));
    }
  };
}

/** Without secrets, and with large parts in separate files. */
function lineMaker(redaction: Redaction, attach: Attach): (event: RunEvent) => Line {
  return (raw) => {
    let written = serialize(raw);
    // Most events hold nothing to hide, and one look at their JSON is cheaper than one at each text.
    let event = redaction.mayTouch(written.text) ? redactJson(raw, redaction.text, SAFE_TEXTS) : raw;
    if (event !== raw) written = serialize(event);
    if (isLarge(written.text)) {
      event = { ...event, fact: detach(event.fact, attach) };
      written = serialize(event);
    }
    return { event, ...written };
  };
}

function isLarge(text: string): boolean {
  return text.length > ATTACH_BYTES / 3 && Buffer.byteLength(text) > ATTACH_BYTES;
}

/** A row is written twice but serialised once. */
function serialize(event: RunEvent): { text: string; row?: string } {
  if (event.fact.type !== 'trial-end') return { text: JSON.stringify(event) + '\n' };
  const row = JSON.stringify(event.fact.row);
  const head = JSON.stringify({ ...event, fact: undefined }).slice(0, -1);
  const fact = JSON.stringify({ ...event.fact, row: undefined }).slice(0, -1);
  return { text: `${head},"fact":${fact},"row":${row}}}\n`, row: row + '\n' };
}
