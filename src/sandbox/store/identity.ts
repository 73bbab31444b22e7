import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { makeFolder, readJsonFile, replaceFile } from './privateFiles';

/** The values that a sandbox keeps across restarts, so that a client's saved environment keeps working. */
export interface Identity {
  readonly apiKey: string;
  readonly port: number;
  readonly uploadPort: number;
}

const path = (dataDir: string) => join(dataDir, 'identity.json');

/** The identity of a data folder; a new key and ports 0 when it has none yet. */
export function readIdentity(dataDir: string): Identity {
  makeFolder(dataDir);
  const { apiKey, port, uploadPort } = readJsonFile(path(dataDir)) ?? {};
  if (typeof apiKey === 'string' && apiKey.length >= 20) {
    return { apiKey, port: asPort(port), uploadPort: asPort(uploadPort) };
  }
  return { apiKey: `sandbox_${randomBytes(24).toString('base64url')}`, port: 0, uploadPort: 0 };
}

export const keepIdentity = (dataDir: string, identity: Identity) =>
  replaceFile(path(dataDir), JSON.stringify(identity));

const asPort = (value: unknown) =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 && value < 65536 ? value : 0;
