/** Works on values of a source. An error of the source itself is thrown as it is, whatever the work makes of it. */
export async function withSource<Item, Result>(
  source: AsyncIterable<Item>,
  work: (source: AsyncIterable<Item>) => Promise<Result>,
): Promise<Result> {
  let lost: { readonly error: unknown } | undefined;
  const watched = (async function* () {
    try {
      yield* source;
    } catch (error) {
      lost = { error };
      throw error;
    }
  })();
  try {
    return await work(watched);
  } catch (error) {
    throw lost === undefined ? error : (lost as { readonly error: unknown }).error;
  }
}
