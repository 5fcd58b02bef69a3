import type { Screen } from '../../core/log.ts';
import type { GateOutcome } from '../../core/manifest.ts';
import { plural } from '../../lib/text/plural.ts';
import { measuredText } from '../../reading/conditions.ts';
import { paletteFor } from './palette.ts';
import { clean } from './text.ts';

/** Prints one line per gate: whether it holds, its value, and what the value is based on. */
export function printGates(screen: Screen, gates: readonly GateOutcome[]): void {
  const { status, strong } = paletteFor(screen.colour);
  const fallen = gates.filter(({ holds }) => holds === false).length;
  const unmeasured = gates.filter(({ holds }) => holds === null).length;
  const parts = [
    ...(fallen === 0 ? [] : [`${fallen} failed`]),
    ...(unmeasured === 0 ? [] : [`${unmeasured} could not be measured`]),
  ];
  const head = `${plural(gates.length, 'gate')}: ${parts.length === 0 ? 'all hold' : parts.join(', ')}`;
  const lines = gates.map(({ gate, holds, value, says }) => {
    const text = `${clean(gate, 200)}  ${value === null ? '' : `is ${measuredText(gate, value)}, `}${clean(says, 300)}`;
    if (holds === null) return `  ${status.errored('! not measured')}  ${text}`;
    return holds ? `  ${status.passed('✓ holds')}   ${text}` : `  ${status.failed('✗ failed')}  ${text}`;
  });
  screen.write(`${['', strong(head), ...lines].join('\n')}\n`);
}
