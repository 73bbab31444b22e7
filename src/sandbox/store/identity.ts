import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObject } from '../json';
import { FILE_MODE, makeFolder } from './privateFiles';

/** What a sandbox keeps across restarts, so that an environment saved by a client keeps working. */
export interface Identity {
  readonly apiKey: string;
  readonly port: number;
  readonly uploadPort: number;
}

const path = (dataDir: string) => join(dataDir, 'identity.json');

/** The identity of a data folder; a new key and ports 0 when it has none yet. */
export function readIdentity(dataDir: string): Identity {
  makeFolder(dataDir);
  const fresh = { apiKey: `sandbox_${randomBytes(24).toString('base64url')}`, port: 0, uploadPort: 0 };
  if (!existsSync(path(dataDir))) return fresh;
  try {
    const kept: unknown = JSON.parse(readFileSync(path(dataDir), 'utf8'));
    if (!isObject(kept) || typeof kept.apiKey !== 'string' || kept.apiKey.length < 20) return fresh;
    return { apiKey: kept.apiKey, port: asPort(kept.port), uploadPort: asPort(kept.uploadPort) };
  } catch {
    return fresh;
  }
}

/** Written whole or not at all, and readable by its owner only. */
export function keepIdentity(dataDir: string, identity: Identity): void {
  const draft = `${path(dataDir)}.${process.pid}`;
  writeFileSync(draft, JSON.stringify(identity), { mode: FILE_MODE });
  chmodSync(draft, FILE_MODE);
  renameSync(draft, path(dataDir));
}

const asPort = (value: unknown) =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 && value < 65536 ? value : 0;
