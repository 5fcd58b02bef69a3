import { shown } from './table.mjs';

export const head = ['what', 'assay', 'floor', 'ratio', 'budget', 'is', 'noise'];

/** A measure as a table row: `budget` limits the ratio, `mostMore` the difference, `most` the value. */
export function rowOf({ name, value, floor, unit, budget, mostMore, most, noise }) {
  const withUnit = (number) => (number === undefined ? '' : `${shown(number)} ${unit}`.trim());
  const ratio = floor === undefined ? undefined : value / floor;
  const holds = isWithin(ratio, budget) && isWithin(value - floor, mostMore) && isWithin(value, most);
  const isBound = budget !== undefined || mostMore !== undefined || most !== undefined;
  return [
    name,
    withUnit(value),
    withUnit(floor),
    mostMore === undefined ? (ratio?.toFixed(2) ?? '') : `+${shown(value - floor)} ${unit}`,
    budget?.toFixed(2) ?? (mostMore === undefined ? withUnit(most) : `+${mostMore} ${unit}`),
    isBound ? (holds ? 'ok' : 'over') : '',
    noise === undefined ? '' : `${Math.round(noise * 100)} %`,
  ];
}

function isWithin(value, most) {
  return most === undefined || value <= most;
}
