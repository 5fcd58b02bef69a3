import { useRef } from 'react';

import { useKeys } from './use-keys.ts';

const KEYS: readonly (readonly [key: string, does: string])[] = [
  ['j', 'next row; on a trial, the next trial of the list'],
  ['k', 'previous row; on a trial, the previous trial of the list'],
  ['Enter', 'open the row'],
  ['/', 'go to the search field'],
  ['u', 'from a trial, back to its run'],
  ['?', 'show these shortcuts'],
  ['Esc', 'close'],
];

/** The keys of the dashboard, and the two that work everywhere: `?` and `/`. */
export function KeysDialog() {
  const dialog = useRef<HTMLDialogElement>(null);
  const show = () => dialog.current?.showModal();
  useKeys({ '?': show, '/': () => document.querySelector<HTMLElement>('input[type=search]')?.focus() });
  return (
    <>
      <button type="button" className="keys-button" onClick={show}>
        Keyboard
      </button>
      <dialog ref={dialog} aria-labelledby="keys-title">
        <h2 id="keys-title">Keyboard shortcuts</h2>
        <dl className="stack">
          {KEYS.map(([key, does]) => (
            <div key={key} className="keys">
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{does}</dd>
            </div>
          ))}
        </dl>
        <form method="dialog">
          <button type="submit">Close</button>
        </form>
      </dialog>
    </>
  );
}
