import { useEffect, useId, useState } from 'react';

import { safeText } from '../../parts/safe-text.ts';
import { dayOf } from './period.ts';

interface DayFieldProps {
  readonly title: string;
  /** As the address holds it. */
  readonly value: string | undefined;
  /** What is wrong with it. */
  readonly problem: string | undefined;
  readonly onChoose: (day: string) => void;
}

/** A date that goes into the address once it is complete; its error is shown next to the field. */
export function DayField({ title, value, problem, onChoose }: DayFieldProps) {
  const id = useId();
  const [text, setText] = useState(dayOf(value));
  const [isHalf, setIsHalf] = useState(false);
  useEffect(() => {
    setText(dayOf(value));
    setIsHalf(false);
  }, [value]);
  const told = isHalf ? 'This date is not complete.' : problem;
  return (
    <div className="field">
      <label>
        <span>{title}</span>
        <input
          type="date"
          value={text}
          aria-invalid={told !== undefined}
          aria-describedby={told === undefined ? undefined : id}
          onChange={({ target }) => {
            setText(target.value);
            setIsHalf(false);
            // A year that is being typed begins as 0002.
            if (target.value > '1000') onChoose(target.value);
          }}
          onBlur={({ target }) => {
            setIsHalf(target.validity.badInput);
            if (target.value === '' && !target.validity.badInput && problem === undefined) onChoose('');
          }}
        />
      </label>
      {told === undefined ? null : (
        <p id={id} className="wrong" role="alert">
          {safeText(told)}
          {value === undefined ? null : (
            <button type="button" className="plain" onClick={() => onChoose('')}>
              Remove
            </button>
          )}
        </p>
      )}
    </div>
  );
}
