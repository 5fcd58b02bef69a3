import type { Finding, Subject } from '../core/grade.ts';
import type { GraderServices } from '../core/plugin.ts';
import { given } from '../lib/given.ts';
import { round9 } from '../lib/text/decimals.ts';

/** Time limit of one request in milliseconds. */
const TIMEOUT_MS = 120_000;

/** The cosine of the angle between the embeddings of two texts, at least 0. Throws when the model does not answer. */
export async function embeddingSimilarity(
  { left, right, model }: { readonly left: string; readonly right: string; readonly model: string },
  { subject, services }: { readonly subject: Subject; readonly services: GraderServices },
  signal: AbortSignal,
): Promise<Pick<Finding, 'model' | 'usage' | 'costUsd' | 'details'> & { readonly score: number }> {
  const request = {
    role: 'judge',
    model,
    messages: [],
    embed: [services.redact(left), services.redact(right)],
    timeoutMs: TIMEOUT_MS,
    ...given({ repetition: subject.repetition }),
  } as const;
  const { embeddings = [], model: answered, usage, costUsd } = await services.models.ask(request, signal);
  const [mine, theirs] = embeddings;
  const cosine = mine === undefined || theirs === undefined ? undefined : cosineOf(mine, theirs);
  if (cosine === undefined)
    throw new Error(`${model} returned embeddings that cannot be compared; use another model`);
  return {
    score: Math.max(0, Math.min(1, round9(cosine))),
    model: answered,
    costUsd,
    ...given({ usage }),
    details: { cosine: round9(cosine) },
  };
}

/** Undefined for vectors of different lengths, without a direction, or with values that are not numbers. */
function cosineOf(left: readonly number[], right: readonly number[]): number | undefined {
  if (left.length !== right.length) return undefined;
  let [product, mine, theirs] = [0, 0, 0];
  for (const [index, value] of left.entries()) {
    const other = right[index] ?? Number.NaN;
    product += value * other;
    mine += value * value;
    theirs += other * other;
  }
  const cosine = product / (Math.sqrt(mine) * Math.sqrt(theirs));
  return Number.isFinite(cosine) ? cosine : undefined;
}
