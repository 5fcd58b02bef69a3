import { useId, type ReactNode } from 'react';

import { safeText } from './safe-text.ts';

interface TextInputProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
  /** In characters. */
  readonly size?: number;
  /** What it means, and what happens where it is empty. */
  readonly help?: string;
  /** What is wrong with it; absent: nothing. */
  readonly wrong?: string | undefined;
  /** What counts while it is empty. */
  readonly ifEmpty?: string;
}

/** A text of one line, next to its label. */
export function TextInput({ label, value, onChange, size = 12, help, wrong, ifEmpty }: TextInputProps) {
  const id = useId();
  const described = [...(wrong === undefined ? [] : [`${id}-wrong`]), ...(help === undefined ? [] : [id])];
  const field = (
    <label>
      <span>{label}</span>
      <input
        value={value}
        size={size}
        placeholder={ifEmpty}
        autoComplete="off"
        aria-invalid={wrong === undefined ? undefined : true}
        aria-describedby={described.length === 0 ? undefined : described.join(' ')}
        onChange={({ target }) => onChange(target.value)}
      />
    </label>
  );
  if (described.length === 0) return field;
  return (
    <div className="field">
      {field}
      {wrong === undefined ? null : (
        <p id={`${id}-wrong`} className="wrong">
          {safeText(wrong)}
        </p>
      )}
      {help === undefined ? null : <small id={id}>{help}</small>}
    </div>
  );
}

/** A text of several lines, below its label. */
export function LinesInput({ label, value, onChange }: TextInputProps) {
  return (
    <label className="field">
      <span>{label}</span>
      <textarea value={value} rows={2} onChange={({ target }) => onChange(target.value)} />
    </label>
  );
}

interface CheckProps {
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
  readonly children: ReactNode;
}

export function Check({ isOn, onChange, children }: CheckProps) {
  return (
    <label>
      <input type="checkbox" checked={isOn} onChange={({ target }) => onChange(target.checked)} /> {children}
    </label>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  /** Values with their texts. */
  readonly choices: readonly (readonly [value: string, text: string])[];
  readonly onChange: (value: string) => void;
}

export function Choice({ label, value, choices, onChange }: ChoiceProps) {
  return (
    <label>
      <span>{label}</span>
      <select value={value} onChange={({ target }) => onChange(target.value)}>
        {choices.map(([each, text]) => (
          <option key={each} value={each}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
