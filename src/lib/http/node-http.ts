import type * as Http from 'node:http';

// `import` would read every name that they export, and on Node 24 one of those names loads all of `fetch`.

let loaded: typeof Http | undefined;

/** A function, for whoever only checks a suite needs none of it. */
export const http = () => (loaded ??= process.getBuiltinModule('node:http'));

/** A function, for it brings all of TLS. */
export const https = () => process.getBuiltinModule('node:https');
