/** Why this machine cannot run a sandbox, and what to do. */
export interface Unavailable {
  readonly why: string;
  readonly hint: string;
}

/** What to do without a container engine. */
export const NO_ENGINE =
  'install one: `apt-get install podman` or `dnf install podman`; docker: https://docs.docker.com';
