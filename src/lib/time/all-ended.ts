/** Like Promise.all, but nothing is still under way when it settles; the first in order that was rejected rejects it. */
export async function allEnded<T>(work: readonly Promise<T>[]): Promise<readonly T[]> {
  const ended = await Promise.allSettled(work);
  return ended.map((one) => {
    if (one.status === 'rejected') throw one.reason;
    return one.value;
  });
}
