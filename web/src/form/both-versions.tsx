import { useEffect, useRef } from 'react';

import { LongText } from '../parts/long-text.tsx';
import type { FormField, Texts } from './form-field.ts';

interface BothVersionsProps {
  /** That both changed. */
  readonly fields: readonly FormField[];
  readonly own: Texts;
  readonly theirs: Texts;
  readonly onTake: (name: string) => void;
}

/** Both texts of the fields that somebody else changed, too, since the form was opened. */
export function BothVersions({ fields, own, theirs, onTake }: BothVersionsProps) {
  const part = useRef<HTMLElement>(null);
  useEffect(() => part.current?.focus(), []);
  return (
    <section ref={part} className="problem" role="alert" tabIndex={-1} aria-labelledby="conflicts">
      <h2 id="conflicts">Somebody else saved a change meanwhile</h2>
      <p>
        {fields.length === 0
          ? 'Their change is now in the form, with yours. Nothing was saved yet: look at it, and save again.'
          : 'Nothing was saved yet. These fields hold your text. Take the other text where you want it, and save again.'}
      </p>
      {fields.map(({ name, title }) => {
        const isTaken = own[name] === theirs[name];
        return (
          <div key={name} className="part">
            <h3>{title}</h3>
            <div className="sides">
              <div className="panel">
                <p className="quiet">Yours</p>
                <LongText text={own[name] ?? ''} most={1000} />
              </div>
              <div className="panel">
                <p className="quiet">Saved by somebody else</p>
                <LongText text={theirs[name] ?? ''} most={1000} />
              </div>
            </div>
            <div>
              <button type="button" disabled={isTaken} onClick={() => onTake(name)}>
                {isTaken ? 'Taken' : `Take the other ${title.toLowerCase()}`}
              </button>
            </div>
          </div>
        );
      })}
    </section>
  );
}
