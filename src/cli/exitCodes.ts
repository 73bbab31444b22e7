/** The exit codes that scripts rely on. */
export const exitCodes = {
  passed: 0,
  /** An expectation failed. */
  failed: 1,
  /** A file or the call is wrong, or results cannot be read; no run was sent. */
  wrong: 2,
  /** The service failed, an outcome is unconfirmed, or not all was run. */
  service: 3,
} as const;
