/** Like Promise.all, but settles after all work has ended. Rejects with the first rejection in order. */
export async function allEnded<T>(work: readonly Promise<T>[]): Promise<readonly T[]> {
  const ended = await Promise.allSettled(work);
  return ended.map((one) => {
    if (one.status === 'rejected') throw one.reason;
    return one.value;
  });
}
