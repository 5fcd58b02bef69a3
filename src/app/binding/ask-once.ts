import { costOfEntry, type Price } from '../../core/price.ts';
import type { Target, World } from '../../core/target.ts';
import { tokensOf, type Transcript } from '../../core/transcript.ts';
import { addUsage, type Usage } from '../../core/usage.ts';

/** Sends one message to a target, outside a run. Gives the entries of its answer. */
export async function askOnce(
  target: Target,
  text: string,
  { world, signal }: { readonly world: World; readonly signal: AbortSignal },
): Promise<Transcript> {
  await using session = await target.open(world, signal);
  const transcript: Transcript[number][] = [];
  for await (const entry of session.respond({ parts: [{ text }] }, signal))
    transcript.push({ at: '', turn: 1, ...entry, id: String(transcript.length) });
  return transcript;
}

/** Tokens and US dollars of an answer. Null: a part is unknown, or nothing was reported. */
export function spentOnce(transcript: Transcript, price?: Price) {
  let usage: Usage | undefined;
  let costUsd: number | null | undefined;
  for (const entry of transcript) {
    if (entry.type !== 'usage') continue;
    const tokens = tokensOf(entry);
    if (tokens !== undefined) usage = addUsage(usage, tokens);
    const cost = costOfEntry(entry, price);
    costUsd = cost === null || costUsd === null ? null : (costUsd ?? 0) + cost;
  }
  return { usage, costUsd: costUsd ?? null };
}
