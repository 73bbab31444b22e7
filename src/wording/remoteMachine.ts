let remote: string | undefined;

/** The kind of remote machine that this code runs on, as VS Code names it; undefined: the one in front of the user. */
export function setRemoteMachine(name: string | undefined): void {
  remote = name;
}

export function remoteMachine(): string | undefined {
  return remote;
}
