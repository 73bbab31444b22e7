/** Names below localhost too (RFC 6761). */
const LOOPBACK = /^((?:[^.]+\.)*localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Whether a host name of a parsed URL is this machine. */
export function isLoopback(hostname: string): boolean {
  return LOOPBACK.test(hostname);
}
