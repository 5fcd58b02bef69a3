/** Set by the build. */
declare const __ASSAY_VERSION__: string;

/** The version of this program. */
export function assayVersion(): string {
  return typeof __ASSAY_VERSION__ === 'string' ? __ASSAY_VERSION__ : 'source';
}
