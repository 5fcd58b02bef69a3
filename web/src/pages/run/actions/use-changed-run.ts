import { useQueryClient } from '@tanstack/react-query';

/** Asks again for what pages show of a run after it was changed here. */
export function useChangedRun() {
  const queries = useQueryClient();
  return async (run: string) => {
    const keys = [['run', run], ['runs'], ['running'], ['trials', run], ['baselines'], ['trends']];
    await Promise.all(keys.map((queryKey) => queries.invalidateQueries({ queryKey })));
  };
}
