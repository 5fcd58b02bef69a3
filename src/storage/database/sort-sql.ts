import type { ListSort, SortPlace } from '../../core/list-sort.ts';
import type { Parameter } from './database.ts';
import { plainText } from './plain-text.ts';

/** SQL of the order of a list. */
export function sortSql(sort: ListSort): string {
  const direction = sort.direction === 'down' ? ' desc' : '';
  return `${columnOf(sort)}${direction}, id${direction}`;
}

/** SQL of the condition that a row comes behind a place. `value` adds a parameter and gives its name. */
export function behindSql(
  sort: ListSort,
  { value: last, id }: SortPlace,
  value: (parameter: Parameter) => string,
): string {
  const type = sort.by === 'name' ? 'text' : 'timestamptz';
  const isFurther = sort.direction === 'down' ? '<' : '>';
  return `(${columnOf(sort)}, id) ${isFurther} (${value(plainText(last))}::text::${type}, ${value(id)}::text::uuid)`;
}

function columnOf({ by }: ListSort): string {
  return by === 'name' ? 'name collate "C"' : by;
}
