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
    .option('--cassette <dir>', 'folder to record model calls in, or to replay them from')
    .addOption(
      new Option(
        '--mode <mode>',
        'how to use the cassette: record all calls, replay only, or auto: record what is missing (default auto)',
      ).choices(['record', 'replay', 'auto']),
    );
}

/** The cassette that the flags name. */
export function cassetteOf({ cassette, mode }: CassetteFlags): Cassette | undefined {
  if (cassette !== undefined) return { directory: cassette, mode: mode ?? 'auto' };
  if (mode === undefined) return undefined;
  throw new AssayError('usage', '--mode needs --cassette', {
    stage: 'plan',
    hint: 'add --cassette FOLDER',
  });
}
