import type * as Http from 'node:http';

// `import` would read all exported names, and on Node 24 one of them loads all of `fetch`.

let loaded: typeof Http | undefined;

/** A function, because checking a suite needs no HTTP. */
export const http = () => (loaded ??= process.getBuiltinModule('node:http'));

/** A function, because it loads all of TLS. */
export const https = () => process.getBuiltinModule('node:https');
