export type Pair = readonly [row: number, column: number];

/** The value of pairing a row with a column; 0: they cannot be paired. Whole numbers. */
export type Worth = (row: number, column: number) => number;

/**
 * The pairs with the greatest total value in which each row and column occurs at most once, in any order. Uses the
 * Hungarian method: time grows with rows x rows x columns.
 */
export function bestPairs(rows: number, columns: number, worth: Worth): readonly Pair[] {
  if (rows > columns)
    return bestPairs(columns, rows, (row, column) => worth(column, row)).map(([a, b]) => [b, a]);
  const table = Array.from({ length: rows }, (_, row) =>
    Array.from({ length: columns }, (__, column) => worth(row, column)),
  );
  const rowOf = assignment(table, columns);
  const pairs: Pair[] = [];
  for (const [column, row] of rowOf.entries()) {
    if (row !== undefined && (table[row]?.[column] ?? 0) > 0) pairs.push([row, column]);
  }
  return pairs.toSorted(([left], [right]) => left - right);
}

/** The pairs with the greatest total value in which rows and columns both ascend: a common subsequence. */
export function bestSubsequence(rows: number, columns: number, worth: Worth): readonly Pair[] {
  const best = Array.from({ length: rows + 1 }, () => new Float64Array(columns + 1));
  const table = Array.from({ length: rows }, (_, row) =>
    Array.from({ length: columns }, (__, column) => worth(row, column)),
  );
  const at = (row: number, column: number) => best[row]?.[column] ?? 0;
  const paired = (row: number, column: number) => {
    const value = table[row]?.[column] ?? 0;
    return value > 0 ? value + at(row + 1, column + 1) : 0;
  };
  for (let row = rows - 1; row >= 0; row--) {
    const line = best[row];
    if (line === undefined) continue;
    for (let column = columns - 1; column >= 0; column--) {
      line[column] = Math.max(at(row + 1, column), at(row, column + 1), paired(row, column));
    }
  }
  const pairs: Pair[] = [];
  for (let row = 0, column = 0; row < rows && column < columns;) {
    const here = at(row, column);
    if (paired(row, column) === here && here > 0) pairs.push([row++, column++]);
    else if (at(row, column + 1) === here) column++;
    else row++;
  }
  return pairs;
}

/** The row assigned to each column, with the greatest total value. Needs at least as many columns as rows. */
function assignment(table: readonly (readonly number[])[], columns: number): readonly (number | undefined)[] {
  const rowPrice = new Float64Array(table.length);
  const columnPrice = new Float64Array(columns);
  const rowOf: (number | undefined)[] = Array.from({ length: columns });
  for (let row = 0; row < table.length; row++) augment({ table, rowPrice, columnPrice, rowOf }, row);
  return rowOf;
}

interface Market {
  readonly table: readonly (readonly number[])[];
  readonly rowPrice: Float64Array;
  readonly columnPrice: Float64Array;
  readonly rowOf: (number | undefined)[];
}

/** Assigns a column to `start` by the cheapest chain of exchanges (costs are negative values). */
function augment({ table, rowPrice, columnPrice, rowOf }: Market, start: number): void {
  const least = rowOf.map(() => Infinity);
  const before: number[] = rowOf.map(() => -1);
  const seen = rowOf.map(() => false);
  let row: number | undefined = start;
  let column = -1;
  while (row !== undefined) {
    let delta = Infinity;
    let next = -1;
    for (let j = 0; j < rowOf.length; j++) {
      if (seen[j] === true) continue;
      const cost = -(table[row]?.[j] ?? 0) - (rowPrice[row] ?? 0) - (columnPrice[j] ?? 0);
      if (cost < (least[j] ?? 0)) [least[j], before[j]] = [cost, column];
      if ((least[j] ?? 0) < delta) [delta, next] = [least[j] ?? 0, j];
    }
    rowPrice[start] = (rowPrice[start] ?? 0) + delta;
    for (let j = 0; j < rowOf.length; j++) {
      if (seen[j] === true) {
        const owner = rowOf[j] ?? 0;
        rowPrice[owner] = (rowPrice[owner] ?? 0) + delta;
        columnPrice[j] = (columnPrice[j] ?? 0) - delta;
      } else {
        least[j] = (least[j] ?? 0) - delta;
      }
    }
    column = next;
    seen[column] = true;
    row = rowOf[column];
  }
  while (column !== -1) {
    const previous: number = before[column] ?? -1;
    rowOf[column] = previous === -1 ? start : rowOf[previous];
    column = previous;
  }
}
