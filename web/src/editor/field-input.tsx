import type { ChangeEvent } from 'react';

import { safeText } from '../parts/safe-text.ts';
import type { Field, FieldName } from './draft.ts';
import type { FieldProblem } from './field-problems.ts';

interface FieldInputProps {
  readonly field: Field & { readonly name: FieldName };
  readonly value: string;
  readonly problems: readonly FieldProblem[];
  /** Whether it should not stay empty. */
  readonly isWanted: boolean;
  readonly onChange: (text: string) => void;
}

export function inputId(name: FieldName): string {
  return `field-${name.replace('.', '-')}`;
}

/** A field with its help, and with what is wrong about it. */
export function FieldInput({ field, value, problems, isWanted, onChange }: FieldInputProps) {
  const { name, title, kind, help, ifEmpty, choices = [] } = field;
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
        <select {...common}>
          {choices.map((choice) => (
            <option key={choice}>{choice}</option>
          ))}
        </select>
      ) : kind === 'line' || kind === 'number' ? (
        <input {...common} inputMode={kind === 'number' ? 'numeric' : undefined} autoComplete="off" />
      ) : (
        <textarea
          {...common}
          className={kind === 'json' ? 'mono' : undefined}
          spellCheck={kind === 'text'}
          rows={kind === 'json' ? 6 : 3}
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
        {ifEmpty === undefined ? null : <span className={isWanted ? 'warns' : undefined}> {ifEmpty}</span>}
      </p>
    </div>
  );
}
