import { type Command, Option } from 'commander';

import type { Cassette } from '../core/run-options.ts';
import { AssayError } from '../core/errors.ts';

/** Options of every command that asks models. */
export interface CassetteFlags {
  readonly cassette?: string;
  readonly mode?: Cassette['mode'];
}

export function withCassetteOptions(command: Command): Command {
  return command
    .option('--cassette <dir>', 'keep the calls of models there, or answer from it')
    .addOption(
      new Option(
        '--mode <mode>',
        'of the cassette: record asks live, replay never does, auto asks what is not recorded (default auto)',
      ).choices(['record', 'replay', 'auto']),
    );
}

/** The cassette that the flags name. */
export function cassetteOf({ cassette, mode }: CassetteFlags): Cassette | undefined {
  if (cassette !== undefined) return { directory: cassette, mode: mode ?? 'auto' };
  if (mode === undefined) return undefined;
  throw new AssayError('usage', '--mode says how a cassette is used, and there is none', {
    stage: 'plan',
    hint: 'name its folder with --cassette',
  });
}
