import { handsContract } from '../../test/contracts/hands.ts';
import { work } from './work.ts';

handsContract('the process of the conductor', {
  hands: undefined,
  crew: () => ({ [Symbol.asyncDispose]: async () => undefined }),
});

handsContract('two workers', {
  hands: 'workers',
  crew(store, surroundings) {
    const stop = new AbortController();
    const faults: unknown[] = [];
    const working = ['one', 'other'].map((name) =>
      work(
        store,
        {
          slots: 2,
          name,
          graceMs: 0,
          stop: stop.signal,
          tell: {
            ready: () => undefined,
            refused: (run, reason) => void faults.push(`${run}: ${reason}`),
            troubled: (fault) => void faults.push(fault),
            recovered: () => undefined,
            dropped: (_, fault) => void faults.push(fault),
            stopping: () => undefined,
            givingBack: () => undefined,
          },
        },
        surroundings,
      ),
    );
    return {
      async [Symbol.asyncDispose]() {
        stop.abort();
        await Promise.all(working);
        if (faults.length > 0) throw new AggregateError(faults, faults.map(String).join('; '));
      },
    };
  },
});
