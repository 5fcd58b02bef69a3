import type { RunResource } from '../../../../../src/api/resources/run.ts';

/** What each panel of an action gets. */
export interface ActionProps {
  readonly run: RunResource;
  /** It was done; `told` says so. */
  readonly onDone: (told: string) => void;
  readonly onClose: () => void;
}
