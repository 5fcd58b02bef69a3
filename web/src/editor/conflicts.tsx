import { useEffect, useRef } from 'react';

import { LongText } from '../parts/long-text.tsx';
import { FIELDS, type Draft, type FieldName } from './draft.ts';

interface ConflictsProps {
  readonly fields: readonly FieldName[];
  readonly own: Draft;
  readonly theirs: Draft;
  readonly onTake: (field: FieldName) => void;
}

/** Both versions of the fields that somebody else changed meanwhile, too. */
export function Conflicts({ fields, own, theirs, onTake }: ConflictsProps) {
  const part = useRef<HTMLElement>(null);
  useEffect(() => part.current?.focus(), []);
  return (
    <section ref={part} className="problem" role="alert" tabIndex={-1} aria-labelledby="conflicts">
      <h2 id="conflicts">Somebody else changed this case meanwhile</h2>
      <p>
        {fields.length === 0
          ? 'Their changes are in the form now, next to yours. Look at it, and save again.'
          : 'These fields hold your text, which is not saved yet. Take the other one where you want it, and save again.'}
      </p>
      {FIELDS.filter(({ name }) => fields.includes(name)).map(({ name, title }) => (
        <div key={name} className="part">
          <h3>{title}</h3>
          <div className="sides">
            <div className="panel">
              <p className="quiet">Yours</p>
              <LongText text={own[name]} most={1000} />
            </div>
            <div className="panel">
              <p className="quiet">Saved by somebody else</p>
              <LongText text={theirs[name]} most={1000} />
            </div>
          </div>
          <div>
            <button type="button" disabled={own[name] === theirs[name]} onClick={() => onTake(name)}>
              {own[name] === theirs[name] ? 'Taken' : `Take the other ${title.toLowerCase()}`}
            </button>
          </div>
        </div>
      ))}
    </section>
  );
}
