import type { ChangeEvent } from 'react';

import { safeText } from '../parts/safe-text.ts';
import { inputId, type FormField } from './form-field.ts';
import type { FormProblem } from './form-problems.ts';

interface TextFieldProps {
  readonly field: FormField;
  readonly value: string;
  readonly help: string | undefined;
  readonly problems: readonly FormProblem[];
  /** While it is saved, nothing can be typed. */
  readonly isBusy: boolean;
  readonly onChange: (text: string) => void;
}

/** A field with its help, and with what is wrong about it. */
export function TextField({ field, value, help, problems, isBusy, onChange }: TextFieldProps) {
  const { name, title, kind, choices = [] } = field;
  const id = inputId(name);
  const common = {
    id,
    value,
    'aria-invalid': problems.length > 0,
    'aria-describedby': `${id}-wrong ${id}-help`,
    onChange: ({ target }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement>) =>
      onChange(target.value),
  };
  return (
    <div className="field">
      <label htmlFor={id}>{title}</label>
      {kind === 'choice' ? (
        <select {...common} disabled={isBusy}>
          {choices.map((choice) => (
            <option key={choice}>{choice}</option>
          ))}
        </select>
      ) : kind === 'line' || kind === 'date' ? (
        <input
          {...common}
          type={kind === 'date' ? 'date' : 'text'}
          className={kind === 'date' ? 'date' : undefined}
          readOnly={isBusy}
          autoComplete="off"
        />
      ) : (
        <textarea
          {...common}
          readOnly={isBusy}
          className={kind === 'json' ? 'mono' : undefined}
          spellCheck={kind === 'text'}
          rows={kind === 'json' ? 10 : 4}
        />
      )}
      <div id={`${id}-wrong`}>
        {problems.map(({ text }) => (
          <p key={text} className="wrong">
            {safeText(text)}
          </p>
        ))}
      </div>
      <p id={`${id}-help`} className="quiet">
        {help}
      </p>
    </div>
  );
}
