import type { FailureClass } from '../../../core/code-suite.ts';
import type { ErrorKind } from '../../../core/error-code.ts';
import { rejectsCredentials, type ErrorRecord } from '../../../core/errors.ts';

/** The default class of a trial that could not be measured. */
export function classOfError(error: Pick<ErrorRecord, 'kind' | 'detail'>): FailureClass {
  const { kind, detail } = error;
  if (rejectsCredentials(error)) return { id: 'credentials-rejected', label: 'Rejected credentials' };
  const byDetail = DETAILS.find(([of, details]) => of === kind && details.includes(detail ?? ''));
  return byDetail?.[2] ?? CLASSES[kind] ?? { id: kind, label: labelOf(kind) };
}

/** The class of a failed assertion. */
export const ASSERTION_CLASS: FailureClass = { id: 'assertion', label: 'Assertion failure' };

export const SNAPSHOT_CLASS: FailureClass = { id: 'snapshot', label: 'Snapshot verification' };

export const UNEXPECTED_PASS_CLASS: FailureClass = { id: 'unexpected-passed', label: 'Unexpected pass' };

/** The origin of a failure, in the published terms of code suites. */
export function originOf(error: Pick<ErrorRecord, 'kind' | 'detail'> | undefined): string {
  if (error === undefined) return 'assertion';
  if (error.kind === 'normalization') return error.detail === 'collection' ? 'collection' : 'normalization';
  return ORIGINS[error.kind] ?? 'runner';
}

const ORIGINS: Readonly<Partial<Record<ErrorKind, string>>> = {
  'assert-hook': 'assert-hook',
  'max-steps': 'max-steps',
  'model-rejected': 'model-rejected',
  'workspace-template': 'workspace',
  'workspace-setup': 'workspace',
  'workspace-bootstrap': 'workspace-bootstrap',
};

const CLASSES: Readonly<Partial<Record<ErrorKind, FailureClass>>> = {
  grader: { id: 'grader', label: 'Grader error' },
  'assert-hook': { id: 'assert-hook', label: 'Assert hook crash' },
  timeout: { id: 'timeout', label: 'Timeout' },
  'idle-timeout': { id: 'idle-timeout', label: 'Idle timeout' },
  'max-steps': { id: 'max-steps', label: 'Max steps exceeded' },
  'token-limit': { id: 'token-limit', label: 'Token limit exceeded' },
  'runner-crash': { id: 'runner-crash', label: 'Runner crash' },
  'adapter-drift': { id: 'adapter-drift', label: 'Unrecognised agent output' },
  'http-error': { id: 'provider-error', label: 'Model provider error' },
  'target-unavailable': { id: 'provider-error', label: 'Model provider error' },
  'model-rejected': { id: 'model-rejected', label: 'Rejected model' },
  'workspace-template': { id: 'workspace', label: 'Workspace' },
  'workspace-bootstrap': { id: 'workspace-bootstrap', label: 'Workspace bootstrap' },
  normalization: { id: 'normalization', label: 'Report normalization' },
};

/** Error details with a class of their own. */
const DETAILS: readonly (readonly [ErrorKind, readonly string[], FailureClass])[] = [
  ['target-unavailable', ['missing-binary'], { id: 'missing-binary', label: 'Missing binary' }],
  ['normalization', ['collection'], { id: 'collection', label: 'Artifact collection' }],
];

function labelOf(kind: ErrorKind): string {
  const words = kind.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
