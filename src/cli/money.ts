import type { Command } from 'commander';

import type { RunOptions } from '../core/run-options.ts';
import { given } from '../lib/given.ts';
import { dollars } from './option-values.ts';

/** Options of every command that can spend money. */
export interface MoneyFlags {
  readonly maxCost?: number;
  readonly allowUnknownCost?: boolean;
}

export function withMoneyOptions(command: Command): Command {
  return command
    .option(
      '--max-cost <usd>',
      'cost limit of the whole run in US dollars; calls that could exceed it are not started',
      dollars,
    )
    .option('--allow-unknown-cost', 'with --max-cost: also run models and targets whose price is unknown');
}

export function moneyOf(flags: MoneyFlags): Pick<RunOptions, 'maxCostUsd' | 'allowUnknownCost'> {
  const { maxCost, allowUnknownCost } = flags;
  return given({ maxCostUsd: maxCost, allowUnknownCost });
}
