import type { ConfigTargetResource } from '../../../../src/api/resources/config-target.ts';
import { safeText } from '../../parts/safe-text.ts';

interface NoAgentOfProps {
  readonly name: string;
  /** Undefined: the config has no such target. */
  readonly target: ConfigTargetResource | undefined;
}

/** Why a target of the config cannot be an agent of the store, and what to do instead. */
export function NoAgentOf({ name, target }: NoAgentOfProps) {
  if (target === undefined) {
    return (
      <p className="problem" role="alert">
        The config of this server has no target {safeText(name)}.
      </p>
    );
  }
  return (
    <div className="problem" role="alert">
      <p>The server cannot keep {safeText(name)} as an agent:</p>
      <ul>
        {target.problems.map(({ message, hint }) => (
          <li key={message}>
            {safeText(message)}
            {hint === null ? '' : ` (${safeText(hint)})`}
          </li>
        ))}
      </ul>
      <p>
        Change it where it is: its program, or its entry in the config. After a change of the config, restart
        the server. Then run the same test cases again.
      </p>
    </div>
  );
}
