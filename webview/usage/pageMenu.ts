import * as l10n from '@vscode/l10n';
import type { TemplateResult } from 'lit';
import type { PartName } from '../../src/protocol/usage';
import { type MenuItem, menuButton } from '../shared/menu';
import { passing } from './activityView';
import type { UsagePage } from './page';

type ExportFormat = 'csv' | 'json';

export function pageMenu(page: UsagePage): TemplateResult {
  return menuButton(l10n.t('Raw Responses and Exports'), () => items(page));
}

function items(page: UsagePage): MenuItem[] {
  const { host, state, from } = page;
  const raw = (part: PartName, title: string, hasResponse: boolean): MenuItem => ({
    label: l10n.t('{0}: Raw Response', title),
    icon: 'json',
    disabled: !hasResponse,
    act: () => host.notify('openRaw', { part }),
  });
  const exported = (title: string, save: (format: ExportFormat) => Promise<unknown>, has: boolean) =>
    (['csv', 'json'] as const).map(
      (format): MenuItem => ({
        label: format === 'csv' ? l10n.t('{0}: Export as CSV', title) : l10n.t('{0}: Export as JSON', title),
        icon: 'export',
        disabled: !has,
        act: () => page.ask(save(format)),
      }),
    );
  const [overTime, activity] = [l10n.t('By day'), l10n.t('Activity')];
  const entries = state.activity.state === 'ready' ? state.activity.entries : [];
  const rows = passing(entries, state.search, from);
  return [
    raw('wallet', l10n.t('Balance'), state.overview !== 'loading'),
    raw('summary', l10n.t('By model'), hasRaw(state.summary)),
    raw('timeseries', overTime, hasRaw(state.timeseries)),
    raw('activity', activity, hasRaw(state.activity)),
    'line',
    ...exported(overTime, (format) => host.call('exportSeries', { format }), page.series.length > 0),
    ...exported(
      activity,
      (format) => host.call('exportActivity', { format, rows: [...rows] }),
      rows.length > 0,
    ),
  ];
}

function hasRaw(part: { readonly state: string; readonly answered?: boolean | undefined }): boolean {
  return part.state === 'ready' || part.state === 'notUnderstood' || part.answered === true;
}
