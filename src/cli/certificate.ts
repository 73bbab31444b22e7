import { resolve } from 'node:path';
import * as l10n from '@vscode/l10n';
import { UsageError } from '../commands/usageError';
import { useClientCertificate } from '../service/network';
import { takenFile } from './optionValues';

/**
 * The words of a call without `--cert FILE` and `--key FILE`, whose certificate is shown to its service. PKCS #12 files
 * (.pfx, .p12) have both in one.
 */
export function withoutCertificate(words: readonly string[]): readonly string[] {
  const { file: cert, rest: others } = takenFile(words, 'cert');
  const { file: key = cert, rest } = takenFile(others, 'key');
  if (cert === undefined || key === undefined) {
    if (key !== undefined) throw new UsageError(l10n.t('--key belongs to --cert.'));
    return rest;
  }
  const isWhole = /\.(?:pfx|p12)$/i.test(cert);
  useClientCertificate(isWhole ? { pfx: resolve(cert) } : { cert: resolve(cert), key: resolve(key) });
  return rest;
}
