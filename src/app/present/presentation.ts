import type { Screen } from '../../core/log.ts';

/** How to show a run. */
export interface Presentation {
  /** `NAME` or `NAME=FILE`, as typed. */
  readonly reporters: readonly string[];
  readonly screen: Screen;
  readonly verbosity: 'quiet' | 'normal' | 'verbose';
  readonly ci: boolean;
  /** Whether reporters of the config are left out. */
  readonly isSilent?: true;
}
