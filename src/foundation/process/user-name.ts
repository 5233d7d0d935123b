import { userInfo } from 'node:os';

/**
 * Who runs this process, for a record of what it does.
 * @param read throws where the user id has no account, as it may be in a container
 */
export function userName(read = () => userInfo().username): string {
  try {
    return read();
  } catch {
    return `user id ${process.getuid?.().toString() ?? 'unknown'}`;
  }
}
