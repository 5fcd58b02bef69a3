// `import` would read every name that they export, and on Node 24 one of those names loads all of `fetch`.

export const http = process.getBuiltinModule('node:http');

/** A function, for it brings all of TLS. */
export const https = () => process.getBuiltinModule('node:https');
