import { resolve } from 'node:path';
import * as l10n from '@vscode/l10n';
import { UsageError } from '../commands/usageError';
import { useClientCertificate } from '../service/network';

/**
 * The words of a call without `--cert FILE` and `--key FILE`, whose certificate is shown to its service. PKCS #12 files
 * (.pfx, .p12) have both in one.
 */
export function withoutCertificate(words: readonly string[]): string[] {
  const rest: string[] = [];
  const files: { cert?: string; key?: string } = {};
  for (let at = 0; at < words.length; at++) {
    const [, name, inline] = /^--(cert|key)(?:=(.+))?$/s.exec(words[at]!) ?? [];
    if (name === undefined) {
      rest.push(words[at]!);
      continue;
    }
    const file = inline ?? words[++at];
    if (file === undefined) throw new UsageError(l10n.t('--{0} needs a file.', name));
    files[name as 'cert' | 'key'] = resolve(file);
  }
  const { cert, key } = files;
  if (key !== undefined && cert === undefined) throw new UsageError(l10n.t('--key belongs to --cert.'));
  if (cert !== undefined)
    useClientCertificate(/\.(?:pfx|p12)$/i.test(cert) ? { pfx: cert } : { cert, key: key ?? cert });
  return rest;
}
