import { useState } from 'react';

import type { CasePreviewResource } from '../../../src/api/resources/test-case.ts';
import { ConditionsToPass } from '../parts/conditions-to-pass.tsx';
import { LongText } from '../parts/long-text.tsx';
import { safeText } from '../parts/safe-text.ts';
import { Refused } from '../session/refused.tsx';
import { useAction } from '../session/use-action.ts';
import { useSend } from '../session/use-send.ts';
import { FIELDS, writtenIn, type Draft } from './draft.ts';

/** What counts as passing a case as it is in its form, saved or not, and what the simulated user and the judge are told. */
export function Preview({ draft }: { readonly draft: Draft }) {
  const send = useSend();
  const { act, isBusy, error } = useAction();
  const [shown, setShown] = useState<{ readonly of: Draft; readonly told: CasePreviewResource }>();
  const [wrong, setWrong] = useState<string>();
  const show = () => {
    const { fields: body, mistakes } = writtenIn(draft);
    const field = FIELDS.find(({ name }) => name !== 'tool_mocks' && mistakes.has(name));
    setWrong(field && `${field.title}: ${mistakes.get(field.name)?.message ?? ''}`);
    if (field !== undefined) return;
    void act(async () => {
      const route = ['POST', '/test-cases/preview'] as const;
      const { answer: told } = await send<'previewTestCase'>(route, { path: {}, body });
      setShown({ of: draft, told });
    });
  };
  return (
    <section aria-labelledby="preview">
      <h2 id="preview">Preview</h2>
      <div className="row">
        <button type="button" aria-disabled={isBusy} onClick={show}>
          Show what counts as passing, and what user and judge are told
        </button>
        <span aria-live="polite" className="quiet">
          {shown === undefined || shown.of === draft ? null : 'The case was changed since. Show it again.'}
        </span>
      </div>
      {wrong === undefined ? null : (
        <p className="problem" role="alert">
          There is no preview. {safeText(wrong)}
        </p>
      )}
      <Refused what="There is no preview" error={error} />
      {shown === undefined ? null : <Told {...shown.told} />}
    </section>
  );
}

/** Of a prompt, in characters. */
const MOST_SHOWN = 20_000;

function Told({ user, judge, passing }: CasePreviewResource) {
  return (
    <div className="sides">
      <div className="part">
        <h3>A trial passes if all of this holds</h3>
        <ConditionsToPass conditions={passing} />
      </div>
      <div className="part">
        <h3>The simulated user is told</h3>
        {user === null ? (
          <p>Nothing: the user of the config is scripted.</p>
        ) : (
          <LongText isCode text={user} most={MOST_SHOWN} />
        )}
      </div>
      <div className="part">
        <h3>The judge is told</h3>
        {judge === null ? (
          <p>Nothing: this case needs no judge.</p>
        ) : (
          <>
            <p className="quiet">
              With it comes the conversation, and which of the expected tool calls were made.
            </p>
            <LongText isCode text={judge} most={MOST_SHOWN} />
          </>
        )}
      </div>
    </div>
  );
}
