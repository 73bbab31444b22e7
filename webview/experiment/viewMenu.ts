import * as l10n from '@vscode/l10n';
import type { TableHead } from '../../src/protocol/experiment';
import type { MenuItem } from '../shared/menu';
import { MOST_ZOOM } from './gridGeometry';
import type { ExperimentPage } from './page';
import { isJudging } from './viewSettings';

/** How the results are shown. Judged blind, nothing of it tells a column. */
export function viewItems(page: ExperimentPage, head: TableHead): MenuItem[] {
  const { view, charts } = page.state;
  const { blind, plot, fold, wrap = false, markdown = false, zoom = 0 } = view;
  const isBlind = blind !== undefined;
  const isPlot = plot?.isShown === true && !isBlind;
  const toggle = (label: string, checked: boolean, act: () => unknown) => ({
    label,
    checked,
    isToggle: true,
    act,
  });
  const height = (label: string, to: number): MenuItem => ({
    label,
    disabled: to < 0 || to > MOST_ZOOM,
    act: () => page.changeView({ zoom: to }),
  });
  const table: MenuItem[] = [
    'line',
    height(l10n.t('Higher Rows'), zoom + 1),
    height(l10n.t('Lower Rows'), zoom - 1),
    toggle(l10n.t('Fold Equal Rows'), fold, () => page.changeView({ fold: !fold })),
    toggle(l10n.t('Wrap Texts'), wrap, () => page.changeView({ wrap: !wrap })),
    toggle(l10n.t('Render Markdown'), markdown, () => page.changeView({ markdown: !markdown })),
    !isBlind && head.metrics.length > 0 && groupItem(page),
    { label: l10n.t('Reset Column Widths'), act: () => page.changeView({ widths: {} }) },
    ...(isBlind ? [] : columnItems(page, head)),
  ];
  return [
    !isBlind && { label: l10n.t('Table'), checked: !isPlot, act: () => page.showTable() },
    !isBlind && { label: l10n.t('X/Y'), checked: isPlot, act: () => page.showPlot() },
    !isBlind &&
      toggle(l10n.t('Charts'), charts !== undefined, () =>
        charts ? page.update({ charts: undefined }) : page.showCharts(),
      ),
    ...(isPlot || head.columns.length === 0 ? [] : table),
    'line',
    {
      ...toggle(l10n.t('Judge'), isJudging(view, head), () =>
        page.changeView({ judging: !isJudging(view, head) }),
      ),
      disabled: isBlind,
    },
    { label: l10n.t('Open as Text'), act: () => page.ask(page.host.call('reopenAsText', null)) },
  ];
}

/** Figures for each expected label or value of a column of the inputs, on and off. */
function groupItem(page: ExperimentPage): MenuItem {
  const { groupBy } = page.state.view;
  if (groupBy !== undefined)
    return {
      label: groupBy === '' ? l10n.t('Grouped by Label') : l10n.t('Grouped by {0}', groupBy),
      checked: true,
      isToggle: true,
      act: () => page.changeView({ groupBy: undefined }),
    };
  const ask = async () => {
    const chosen = await page.ask(page.host.call('askGroup', null));
    if (typeof chosen === 'string') page.changeView({ groupBy: chosen, isFolded: false });
  };
  return { label: l10n.t('Group By…'), act: ask };
}

/** Hidden columns, and the varied place that groups the others: only where more than one distinguishes them. */
function columnItems(page: ExperimentPage, head: TableHead): MenuItem[] {
  const { hidden, group } = page.state.view;
  const places = head.columns[0]?.places ?? [];
  const by = (label: string, pointer: string | undefined): MenuItem => ({
    label,
    checked: group === pointer,
    act: () => page.changeView({ group: pointer }),
  });
  const gone = hidden.filter((column) => column < head.columns.length);
  const show = (left: readonly number[]) => page.changeView({ hidden: left });
  return [
    'line',
    ...(places.length < 2
      ? []
      : places.map(({ pointer, name }) => by(l10n.t('Group Columns by {0}', name), pointer))),
    places.length > 1 && by(l10n.t('Do Not Group Columns'), undefined),
    'line',
    gone.length > 0 && { label: l10n.t('Show All Columns'), act: () => show([]) },
    ...gone.map((column) => ({
      label: l10n.t('Show {0}', head.columns[column]!.name),
      act: () => show(hidden.filter((one) => one !== column)),
    })),
  ];
}
