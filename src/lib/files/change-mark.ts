import { lstatSync } from 'node:fs';

/** Changes with every write, even if the content is restored, because a program cannot set ctime. No link is followed. */
export function changeMark(path: string | Buffer): string {
  try {
    const { dev, ino, ctimeNs } = lstatSync(path, { bigint: true });
    return `${dev} ${ino} ${ctimeNs}`;
  } catch {
    return 'none';
  }
}
