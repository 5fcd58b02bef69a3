import { useId, useState, type FormEvent } from 'react';

import { safeText } from './safe-text.ts';

interface TagFilterProps {
  readonly label: string;
  readonly tags: readonly string[];
  /** To choose from; others can be typed. */
  readonly known: readonly string[];
  readonly onChange: (next: (now: readonly string[]) => readonly string[]) => void;
}

/** Some tags: a text and Enter adds one, its button takes it away. */
export function TagFilter({ label, tags, known, onChange }: TagFilterProps) {
  const id = useId();
  const [text, setText] = useState('');
  const add = (event: FormEvent) => {
    event.preventDefault();
    const tag = text.trim();
    if (tag !== '') onChange((now) => [...new Set([...now, tag])]);
    setText('');
  };
  return (
    <form className="row tags" onSubmit={add}>
      <label>
        <span>{label}</span>
        <input
          value={text}
          list={`${id}-known`}
          size={12}
          onChange={({ target }) => setText(target.value)}
          title="Enter adds the tag"
        />
      </label>
      <datalist id={`${id}-known`}>
        {known.map((tag) => (
          <option key={tag} value={tag} />
        ))}
      </datalist>
      {tags.map((tag) => (
        <button
          key={tag}
          type="button"
          className="chip"
          aria-label={`${label}: remove ${safeText(tag)}`}
          onClick={() => onChange((now) => now.filter((each) => each !== tag))}
        >
          {safeText(tag)} <span aria-hidden="true">×</span>
        </button>
      ))}
    </form>
  );
}
