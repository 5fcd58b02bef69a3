import type { ModelDoor } from '../../src/core/model.ts';

/** For tests that ask no model. */
export const noModels: ModelDoor = {
  ask: async ({ model }) => {
    throw new Error(`no model is to be asked in this test, and ${model} was`);
  },
  priceOf: async () => null,
};
