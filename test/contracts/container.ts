/** The sandbox of containers in tests. `scripts/test-sandbox.mjs` makes the image. */
export const CONTAINER = { level: 'container', image: 'localhost/assay-test:1', engine: 'podman' } as const;
