import type { UsageSeries } from '../../domain/usage';
import { saveTable, type Table, type TableFormat } from '../../platform/saveTable';
import type { ActivityEntry } from '../../readers/activity';

/** The shown activity: CSV has the recognized values, JSON the raw entries. */
export async function exportActivity(entries: readonly ActivityEntry[], format: TableFormat): Promise<void> {
  const header = ['time', 'type', 'model', 'mode', 'status', 'amount', 'currency', 'id', 'description'];
  const rows = entries.map((entry) => [
    entry.at === undefined ? '' : new Date(entry.at).toISOString(),
    entry.kind,
    entry.model,
    entry.mode,
    entry.status,
    entry.money?.amount,
    entry.money?.currency,
    entry.ids[0],
    entry.description,
  ]);
  await save('activity', format, { header, rows, json: entries.map((entry) => entry.raw) });
}

/** One row a time and series, one column a measure. */
export async function exportSeries(series: readonly UsageSeries[], format: TableFormat): Promise<void> {
  const measures = [...new Set(series.flatMap((one) => one.measures.map(({ name }) => name)))];
  const rows = series.flatMap((one) =>
    one.times.map((at, index) => [
      new Date(at).toISOString(),
      one.name,
      ...measures.map((name) => one.measures.find((measure) => measure.name === name)?.values[index]),
    ]),
  );
  await save('usage', format, { header: ['time', 'series', ...measures], rows, json: series });
}

function save(name: string, format: TableFormat, table: Table): Promise<void> {
  return saveTable(`${name}-${new Date().toISOString().slice(0, 10)}`, format, table);
}
