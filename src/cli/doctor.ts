import * as l10n from '@vscode/l10n';
import { table } from '../commands/table';
import { responseMappingOf } from '../domain/responseMapping';
import type { ServiceClient } from '../service/client';
import { incompleteText, messageOf } from '../wording/errors';
import { formatBalance } from '../wording/money';
import { exitCodes } from './exitCodes';
import type { Terminal } from './terminal';

/** The reading of one part of a service. */
interface Finding {
  readonly part: string;
  /** Undefined: it was not read. */
  readonly read: string | undefined;
  readonly by?: string | undefined;
  /** The reason, or the part that is left out. */
  readonly note?: string | undefined;
}

/**
 * Asks a service for its catalog, one model and the wallet, which costs nothing, and prints how each is read, and by which
 * places.
 * @param model missing: the first of the catalog
 */
export async function doctor(
  { model }: { readonly model: string | undefined },
  client: ServiceClient,
  terminal: Terminal,
): Promise<number> {
  const mapping = responseMappingOf(client.baseUrl) ?? {};
  const findings: Finding[] = [];
  const look = async (
    part: string,
    places: object | undefined,
    ask: () => Promise<Omit<Finding, 'part'>>,
  ) => {
    const by = places && JSON.stringify(places);
    const finding = await ask().catch((error: unknown) => ({ read: undefined, note: messageOf(error) }));
    findings.push({ part, by, ...finding });
  };
  let first = model;
  await look(l10n.t('models'), mapping.models, async () => {
    let count = 0;
    let note: string | undefined;
    for await (const page of client.listModels()) {
      first ??= page.models[0]?.slug;
      count += page.models.length;
      if (page.incomplete) note = incompleteText(page.incomplete);
      if (page.unrecognised) note = l10n.t('A part of the list of models was not understood.');
    }
    return { read: count === 0 ? undefined : l10n.t('{0} models', count), note };
  });
  const slug = first;
  if (slug !== undefined)
    await look(slug, mapping.model, async () => {
      const { modes, notPermitted } = await client.getModel(slug);
      if (notPermitted)
        return { read: undefined, note: l10n.t('This API key cannot read the catalog. Runs can be sent.') };
      const shapes = modes.map(
        ({ name, input }) => `${name}: ${input.origin}${input.at ? ` (${input.at})` : ''}`,
      );
      const isKnown = modes.some(({ input }) => input.origin !== 'unknown');
      return {
        read: isKnown ? shapes.join(', ') : undefined,
        note: isKnown ? undefined : l10n.t('No input schema was found: its requests are written as JSON.'),
      };
    });
  await look(l10n.t('wallet'), mapping.wallet, async () => {
    const { wallet, words } = await client.wallet();
    const note = wallet ? undefined : (words ?? l10n.t('No balance was recognized.'));
    return { read: wallet && formatBalance(wallet.balance, 'en'), note };
  });
  const rows = findings.map(({ part, read, by, note }) => [
    part,
    read ?? l10n.t('not read'),
    by === undefined ? l10n.t('by the usual names') : l10n.t('by your mapping: {0}', by),
    note ?? '',
  ]);
  for (const line of table(rows)) terminal.print(line);
  const ofRuns = mapping.run && JSON.stringify(mapping.run);
  terminal.print(
    ofRuns === undefined
      ? l10n.t('Runs are read by the usual words: none was sent.')
      : l10n.t('Runs are read by your mapping: {0}. None was sent.', ofRuns),
  );
  return findings.every(({ read }) => read !== undefined) ? exitCodes.passed : exitCodes.service;
}
