const granted = new WeakMap<object, readonly string[]>();

/**
 * An argument of a command of ours, with files that the user chose before: the panel that it opens may send them. Other
 * extensions, keybindings and tasks can call the command too, but cannot put files there: the list is in no argument.
 * @param files as URI strings
 */
export function withGrantedFiles<T extends object>(argument: T, files: readonly string[]): T {
  granted.set(argument, files);
  return argument;
}

/** The files that came with an argument; empty for an argument of others. */
export function grantedFiles(argument: unknown): readonly string[] {
  return (typeof argument === 'object' && argument !== null && granted.get(argument)) || [];
}

const started = new WeakSet<object>();

/**
 * An argument of our own command, which runs the panel at once: the user has asked for that run. Others cannot make
 * one.
 */
export function runningAtOnce<T extends object>(argument: T): T {
  started.add(argument);
  return argument;
}

/** Whether the panel that an argument opens runs at once. */
export function runsAtOnce(argument: unknown): boolean {
  return typeof argument === 'object' && argument !== null && started.has(argument);
}
