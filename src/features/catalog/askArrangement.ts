import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Modality } from '../../domain/modality';
import { showQuickPick } from '../../vscode/messages/inputs';
import { type Arrangement, GROUPS, SORTS } from './arrangement';

/** Asks for an order or a grouping of the catalog; the present ones are ticked. Undefined: cancelled. */
export async function askArrangement(present: Arrangement): Promise<Arrangement | undefined> {
  const separator = (label: string) => ({
    label,
    kind: vscode.QuickPickItemKind.Separator,
    arrangement: present,
  });
  const choice = (label: string, arrangement: Arrangement) => {
    const isPresent = arrangement.sort === present.sort && arrangement.group === present.group;
    return { label, arrangement, ...(isPresent && { description: l10n.t('current') }) };
  };
  const picked = await showQuickPick(
    [
      separator(l10n.t('Sort by')),
      ...SORTS.map((sort) => choice(sortText(sort), { ...present, sort })),
      separator(l10n.t('Group by')),
      ...GROUPS.map((group) => choice(groupText(group), { ...present, group })),
    ],
    { title: l10n.t('Sort and Group Models'), placeHolder: l10n.t('Order and groups of the catalog') },
  );
  return picked?.arrangement;
}

function sortText(sort: Arrangement['sort']): string {
  switch (sort) {
    case 'service':
      return l10n.t('Order of the service');
    case 'name':
      return l10n.t('Name');
    case 'price':
      return l10n.t('Price');
    case 'recent':
      return l10n.t('Last run');
  }
}

function groupText(group: Arrangement['group']): string {
  switch (group) {
    case 'group':
      return l10n.t('Category of the service');
    case 'kind':
      return l10n.t('Kind of data');
    case 'owner':
      return l10n.t('Owner');
    case 'none':
      return l10n.t('No groups');
  }
}

export function kindText(kind: Modality): string {
  switch (kind) {
    case 'image':
      return l10n.t('Images');
    case 'text':
      return l10n.t('Text');
    case 'audio':
      return l10n.t('Audio');
    case 'video':
      return l10n.t('Video');
  }
}
