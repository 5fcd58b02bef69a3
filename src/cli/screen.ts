import type { Screen } from '../core/log.ts';

export interface ScreenOptions {
  readonly color?: boolean;
  readonly quiet?: boolean;
  readonly verbose?: boolean;
}

/** Standard output as a screen for people. Respects NO_COLOR and FORCE_COLOR. */
export function terminalScreen(
  options: ScreenOptions,
  environment: Readonly<Record<string, string>>,
): Screen {
  const { stdout } = process;
  const isTty = stdout.isTTY === true;
  const forced = environment['FORCE_COLOR'] !== undefined && environment['FORCE_COLOR'] !== '0';
  const refused = options.color === false || (environment['NO_COLOR'] ?? '') !== '';
  return {
    isTty,
    columns: stdout.columns ?? 100,
    colour: !refused && (forced || (isTty && environment['TERM'] !== 'dumb')),
    write: (text) => void stdout.write(text),
  };
}

/** A screen that discards everything, for `--json`. */
export const noScreen: Screen = { isTty: false, columns: 100, colour: false, write: () => {} };

export function verbosityOf(options: ScreenOptions): 'quiet' | 'normal' | 'verbose' {
  if (options.quiet === true) return 'quiet';
  return options.verbose === true ? 'verbose' : 'normal';
}
