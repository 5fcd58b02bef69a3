import type { ModelDoor } from '../../core/model.ts';
import type { Redactor } from '../../lib/redact/redact.ts';
import type { BoundRun } from './bind.ts';
import { openModels, type ModelsRequest } from './models.ts';

/** Access to the models of a bound run. `ledger` limits the cost of live calls. */
export function boundModels(
  { spec, machine }: Pick<BoundRun, 'spec' | 'machine'>,
  redactor: Redactor,
  more: Pick<ModelsRequest, 'ledger' | 'warn' | 'limits'> = {},
): ModelDoor {
  const { loaded, cwd } = machine;
  const { cassette } = spec.options;
  return openModels({ loaded, cassette, cwd, seed: spec.settings.seed, redactor, ...more });
}
