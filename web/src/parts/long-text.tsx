import { useState } from 'react';

import { cutText } from './cut.ts';
import { safeText } from './safe-text.ts';

interface LongTextProps {
  readonly text: string;
  /** Characters that are shown at first. */
  readonly most?: number;
  /** Set in a fixed width: values and output of programs. */
  readonly isCode?: boolean;
}

/** Text of agents, tools and cases: inert, and cut where it is long. */
export function LongText({ text, most = 4000, isCode = false }: LongTextProps) {
  const [isWhole, showWhole] = useState(false);
  const { shown, rest } = isWhole ? { shown: text, rest: 0 } : cutText(text, most);
  return (
    <>
      <pre className={isCode ? undefined : 'prose'}>{safeText(shown)}</pre>
      {rest === 0 ? null : (
        <button type="button" className="plain" onClick={() => showWhole(true)}>
          Show all: {rest.toLocaleString('en')} more characters
        </button>
      )}
    </>
  );
}
