/** The number of ways to choose `chosen` of `all`. */
export function countCombinations(all: number, chosen: number): number {
  let count = 1;
  for (let i = 0; i < chosen; i++) count = (count * (all - i)) / (i + 1);
  return Math.round(count);
}

/** The sums of all choices of `chosen` values. */
export function combinations(values: Float64Array, chosen: number): Float64Array {
  const sums = new Float64Array(countCombinations(values.length, chosen));
  let found = 0;
  const choose = (from: number, left: number, sum: number): void => {
    if (left === 0) {
      sums[found++] = sum;
      return;
    }
    for (let i = from; i <= values.length - left; i++) choose(i + 1, left - 1, sum + (values[i] as number));
  };
  choose(0, chosen, 0);
  return sums;
}
