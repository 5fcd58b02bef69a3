import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';

import { TextForm } from '../form/text-form.tsx';
import { Back } from '../parts/back.tsx';
import { Loading } from '../parts/states.tsx';
import { useTitle } from '../parts/use-title.ts';
import { useSend } from '../session/use-send.ts';
import { useSession } from '../session/use-session.ts';
import { NEW_TOKEN, tokenBody, tokenFields } from '../settings/token-fields.ts';

/** A new token. Only this page, and only once, shows the token itself. */
export function NewTokenPage() {
  useTitle('New token');
  const queries = useQueryClient();
  const send = useSend();
  const session = useSession();
  const [token, setToken] = useState<string>();
  return (
    <>
      <Back to="/settings">Settings</Back>
      <h1>New token</h1>
      {token === undefined ? null : <ShownOnce token={token} />}
      {session === undefined ? <Loading what="the form" /> : null}
      {session === undefined || token !== undefined ? null : (
        <TextForm
          name="new token"
          fields={tokenFields(session.role)}
          stored={NEW_TOKEN}
          submit="Create"
          save={async (texts) => {
            const { answer } = await send<'createToken'>(['POST', '/tokens'], {
              path: {},
              body: tokenBody(texts),
            });
            setToken(answer.token);
            return 'saved';
          }}
          onSaved={() => void queries.invalidateQueries({ queryKey: ['tokens'] })}
        />
      )}
    </>
  );
}

function ShownOnce({ token }: { readonly token: string }) {
  const part = useRef<HTMLElement>(null);
  const [isCopied, setIsCopied] = useState(false);
  useEffect(() => part.current?.focus(), []);
  return (
    <section ref={part} className="note part" tabIndex={-1} aria-labelledby="shown-once">
      <h2 id="shown-once">Copy the token now</h2>
      <p>It is shown only once: the server keeps no copy of it.</p>
      <pre id="new-token">{token}</pre>
      <div className="row">
        <button
          type="button"
          onClick={() => void navigator.clipboard.writeText(token).then(() => setIsCopied(true))}
        >
          Copy
        </button>
        <span aria-live="polite">{isCopied ? 'Copied.' : ''}</span>
      </div>
    </section>
  );
}
