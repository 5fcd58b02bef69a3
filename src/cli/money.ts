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
    .option('--max-cost <usd>', 'start no call that could exceed this total cost', dollars)
    .option('--allow-unknown-cost', 'with --max-cost: also allow models and targets without a known price');
}

export function moneyOf(flags: MoneyFlags): Pick<RunOptions, 'maxCostUsd' | 'allowUnknownCost'> {
  const { maxCost, allowUnknownCost } = flags;
  return given({ maxCostUsd: maxCost, allowUnknownCost });
}
