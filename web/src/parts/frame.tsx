import { Link, Outlet } from '@tanstack/react-router';

import { SignIn } from '../session/sign-in.tsx';
import { useSignedOut } from '../session/signed-out.ts';
import { useSettings } from '../session/use-session.ts';
import { Who } from '../session/who.tsx';
import { KeysDialog } from './keys-dialog.tsx';

const PAGES = [
  { to: '/', title: 'Overview' },
  { to: '/runs', title: 'Runs' },
  { to: '/cases', title: 'Cases', needs: 'store' },
  { to: '/sets', title: 'Sets', needs: 'store' },
  { to: '/agents', title: 'Agents', needs: 'store' },
  { to: '/compare', title: 'Compare' },
  { to: '/trends', title: 'Trends' },
  { to: '/review', title: 'Review', needs: 'store' },
  { to: '/settings', title: 'Settings', needs: 'store' },
] as const;

/** What every page has around it. Who has to sign in finds the page below as it was. */
export function Frame() {
  const isOut = useSignedOut();
  return (
    <>
      <a className="skip" href="#main">
        Skip to content
      </a>
      <header className="bar">
        <div>
          <span className="brand">assay</span>
          {isOut ? null : (
            <>
              <Pages />
              <Who />
            </>
          )}
          <KeysDialog />
        </div>
      </header>
      {isOut ? <SignIn /> : null}
      <main id="main" tabIndex={-1} hidden={isOut}>
        <Outlet />
      </main>
    </>
  );
}

function Pages() {
  const hasStore = useSettings().data?.mode === 'serve';
  return (
    <nav aria-label="Pages">
      {PAGES.filter((page) => hasStore || !('needs' in page)).map(({ to, title }) => (
        <Link key={to} to={to} activeOptions={{ exact: to === '/', includeSearch: false }}>
          {title}
        </Link>
      ))}
    </nav>
  );
}
