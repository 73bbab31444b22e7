let isTrusted = () => false;

/** Says who knows whether the user trusts the open workspace. Until then no program of the user starts. */
export function trustWorkspaceWhen(trusted: () => boolean): void {
  isTrusted = trusted;
}

/** Whether programs may start. */
export const isWorkspaceTrusted = (): boolean => isTrusted();
