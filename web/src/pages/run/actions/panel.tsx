import type { FormEvent, ReactNode } from 'react';

import { Refused } from '../../../session/refused.tsx';
import { usePanel } from './use-panel.ts';

interface PanelProps {
  readonly title: string;
  /** The text of the button that does it. */
  readonly does: string;
  /** What is told when it was not done, such as "The run was not cancelled". */
  readonly failed: string;
  readonly error: unknown;
  readonly isBusy: boolean;
  readonly onSubmit: () => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** What can be said of an action before it is done. It takes the focus; Escape closes it. */
export function Panel(props: PanelProps) {
  const { title, does, failed, error, isBusy, onSubmit, onClose, children } = props;
  const part = usePanel<HTMLFormElement>(onClose);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <form {...part} className="panel stack" aria-label={title} noValidate onSubmit={submit}>
      {children}
      <Refused what={failed} error={error} />
      <div className="row">
        <button type="submit" className="main" aria-disabled={isBusy}>
          {does}
        </button>
        <button type="button" onClick={onClose}>
          Close
        </button>
      </div>
    </form>
  );
}
