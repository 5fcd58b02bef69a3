import { checks } from './checks.mjs';

/** Prints a table of agents and checks, then one line per fault and per check that could not run. */
export function printTable(results) {
  const names = Object.keys(checks);
  const rows = results.map(({ type, version, missing, faults, seconds }) => [
    type,
    missing ? '-' : (version ?? '?'),
    ...names.map((name) =>
      missing || !(name in faults) ? '-' : faults[name] === undefined ? 'ok' : 'WRONG',
    ),
    missing ? '-' : `${seconds.toFixed(0)} s`,
  ]);
  const table = [['agent', 'version', ...names, 'time'], ...rows];
  const widths = table[0].map((_, column) => Math.max(...table.map((row) => row[column].length)));
  console.log();
  for (const row of table)
    console.log(
      row
        .map((cell, i) => cell.padEnd(widths[i]))
        .join('  ')
        .trimEnd(),
    );
  console.log();
  for (const { type, missing, faults } of results) {
    if (missing) console.log(`NOT RUN ${type}: ${missing}`);
    for (const [name, fault] of Object.entries(faults))
      if (fault !== undefined) console.log(`WRONG ${type}, ${name}: ${fault}`);
  }
}
