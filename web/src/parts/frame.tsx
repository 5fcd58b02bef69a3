import { Link, Outlet } from '@tanstack/react-router';

import { KeysDialog } from './keys-dialog.tsx';

const PAGES = [
  { to: '/', title: 'Overview' },
  { to: '/runs', title: 'Runs' },
  { to: '/compare', title: 'Compare' },
  { to: '/trends', title: 'Trends' },
] as const;

/** What every page has around it. */
export function Frame() {
  return (
    <>
      <a className="skip" href="#main">
        Skip to content
      </a>
      <header className="bar">
        <div>
          <span className="brand">assay</span>
          <nav aria-label="Pages">
            {PAGES.map(({ to, title }) => (
              <Link key={to} to={to} activeOptions={{ exact: to === '/', includeSearch: false }}>
                {title}
              </Link>
            ))}
          </nav>
          <KeysDialog />
        </div>
      </header>
      <main id="main" tabIndex={-1}>
        <Outlet />
      </main>
    </>
  );
}
