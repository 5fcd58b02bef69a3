import { useState } from 'react';

import { clearTab } from '../form/tab-storage.ts';
import { safeText } from '../parts/safe-text.ts';
import { useSend } from './use-send.ts';
import { useSession } from './use-session.ts';

/** Who is signed in. */
export function Who() {
  const session = useSession();
  const send = useSend();
  const [isLeaving, setIsLeaving] = useState(false);
  if (session === undefined) return null;
  if (session.expires_at === null) {
    return (
      <p className="who" title="Every program on this machine may use this server.">
        no authentication
      </p>
    );
  }
  const signOut = async () => {
    setIsLeaving(true);
    await send<'signOut'>(['DELETE', '/session'], { path: {} }).catch(() => undefined);
    clearTab();
    // Nothing of the former account stays in memory.
    location.reload();
  };
  return (
    <div className="who">
      <span>
        {safeText(session.email)} <span className="quiet">({session.role})</span>
      </span>
      <button type="button" disabled={isLeaving} onClick={() => void signOut()}>
        Sign out
      </button>
    </div>
  );
}
