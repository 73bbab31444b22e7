import { userInfo } from 'node:os';
import { git } from '../../programs/git';

/** Names in files of other people are of any length. */
const LONGEST_NAME = 100;

/** The name of the person who judges: the user's `user.name` of git, else that of the computer's user; '' without both. */
export async function raterName(): Promise<string> {
  const named = await git(undefined, ['config', 'user.name'], 10_000).catch(() => undefined);
  const name = named?.toString().trim() || systemUser();
  return name.replaceAll(/\s+/g, ' ').slice(0, LONGEST_NAME);
}

function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    // In a container a user may have no entry.
    return '';
  }
}
