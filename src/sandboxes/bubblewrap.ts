/** The program that makes namespaces. */
export const BUBBLEWRAP = 'bwrap';

/** The program that joins the network of another process. */
export const NSENTER = 'nsenter';
