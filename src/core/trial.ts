/** What identifies the same trial in different runs. */
export interface TrialId {
  readonly suite: string;
  readonly caseId: string;
  readonly target: string;
  /** From 1. */
  readonly repetition: number;
}

/** A unit of scheduling. */
export interface Trial extends TrialId {
  readonly key: string;
  /** Its number in the run, from 1: `index + 1`, unless the plan has changed. */
  readonly number: number;
  /** Position in the plan, from 0. */
  readonly index: number;
}

/** `suite/case/target/r1`, each part percent-encoded: unique and printable. */
export function trialKey(id: TrialId): string {
  return `${part(id.suite)}/${part(id.caseId)}/${part(id.target)}/r${id.repetition}`;
}

/** The identity behind a key, or undefined when it is not a valid key. */
export function parseTrialKey(key: string): TrialId | undefined {
  const pieces = key.split('/');
  const [suite, caseId, target, repetition] = pieces;
  const match = /^r([1-9]\d*)$/.exec(repetition ?? '');
  if (pieces.length !== 4 || suite === undefined || caseId === undefined || target === undefined || !match) {
    return undefined;
  }
  try {
    return {
      suite: textOf(suite),
      caseId: textOf(caseId),
      target: textOf(target),
      repetition: Number(match[1]),
    };
  } catch {
    return undefined;
  }
}

const ENCODED = /[%/\u0000-\u001f]|[^\u0000-\u007e]/gu;

const LONE_SURROGATE = /^\p{Surrogate}$/u;

/** A lone surrogate has no UTF-8: it becomes `%uD83D`, which is unique because `%` itself is encoded. */
function part(text: string): string {
  return text.replace(ENCODED, (piece) =>
    LONE_SURROGATE.test(piece)
      ? `%u${piece.charCodeAt(0).toString(16).toUpperCase()}`
      : encodeURIComponent(piece),
  );
}

function textOf(encoded: string): string {
  const pieces = encoded.split(/(%u[0-9A-F]{4})/);
  return pieces
    .map((piece, index) =>
      index % 2 === 1 ? String.fromCharCode(Number.parseInt(piece.slice(2), 16)) : decodeURIComponent(piece),
    )
    .join('');
}
