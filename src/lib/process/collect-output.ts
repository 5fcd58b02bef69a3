import type { ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';
import { outputBuffer } from './output-buffer.ts';
import type { StopRequest } from './stop-request.ts';

/** How much of each stream is read, kept and passed on. */
export interface OutputBounds {
  readonly maxOutputBytes?: number;
  readonly keepBytes?: number;
  readonly onStdout?: (chunk: Uint8Array) => void;
  readonly onStderr?: (chunk: Uint8Array) => void;
}

/** The kept output of both streams, and how many bytes each had. */
export interface CollectedOutput {
  readonly read: () => { readonly stdout: Uint8Array; readonly stderr: Uint8Array; readonly read: BytesRead };
}

/** How many bytes of each stream were read, kept or not. */
export interface BytesRead {
  readonly stdout: number;
  readonly stderr: number;
}

export function collectOutput(child: ChildProcess, bounds: OutputBounds, stop: StopRequest): CollectedOutput {
  const stdout = collect(child.stdout, { ...bounds, onChunk: bounds.onStdout }, stop);
  const stderr = collect(child.stderr, { ...bounds, onChunk: bounds.onStderr }, stop);
  return {
    read: () => ({
      stdout: stdout.kept(),
      stderr: stderr.kept(),
      read: { stdout: stdout.bytes(), stderr: stderr.bytes() },
    }),
  };
}

interface StreamBounds {
  readonly maxOutputBytes?: number;
  readonly keepBytes?: number;
  readonly onChunk: ((chunk: Uint8Array) => void) | undefined;
}

function collect(stream: Readable | null, bounds: StreamBounds, stop: StopRequest) {
  const { maxOutputBytes = 32 * 2 ** 20, keepBytes = Infinity, onChunk } = bounds;
  const kept = outputBuffer(keepBytes);
  let room = maxOutputBytes;
  let read = 0;
  stream?.on('error', () => {});
  stream?.on('data', (chunk: Uint8Array) => {
    const accepted = chunk.length > room ? chunk.subarray(0, room) : chunk;
    room -= accepted.length;
    read += accepted.length;
    kept.append(accepted);
    if (accepted.length < chunk.length) {
      stream.destroy();
      stop.request('output-limit');
    }
    if (!onChunk || accepted.length === 0 || stop.failure) return;
    try {
      onChunk(accepted);
    } catch (error) {
      stop.fail(error);
    }
  });
  return { kept: kept.read, bytes: () => read };
}
