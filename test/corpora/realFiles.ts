import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import jpeg from 'jpeg-js';
import { sameJson } from '../../src/domain/value';
import { withoutMetadata } from '../../src/experiments/report/withoutMetadata';
import { regionsTurn } from '../../src/intake/orientation';
import { readTable } from '../../src/intake/readTable';
import { Turns } from '../../src/service/turns';
import { fetched } from './sources';

// Files of others, compared with their contents as their packages list them.

const TABLES = {
  name: 'csv-spectrum',
  package: 'csv-spectrum@2.0.0',
  integrity:
    'sha512-gjW9YEAkcrJo4AEdrV9+4lkUXlOyYyC+1Ap3efzMiUUs1OTdZ29VraBZNBBKZK7iiUkbMNkUmfKp/jnayzHxAA==',
};
const PHOTOGRAPHS = {
  name: 'exif',
  package: 'exif@0.6.0',
  integrity:
    'sha512-gEwM4uanNMfLnDNKclZ7jPEA99E3rpy4ntoS6QW8u6murZjl1o8qRaPdMoC46Syg3d9/QaET0bYKhWlTwJCPgg==',
};

export async function printRealFiles(): Promise<void> {
  const tables = path.join(await fetched(TABLES), 'package');
  const read = await Promise.all(
    readdirSync(path.join(tables, 'csvs')).map(async (file) => {
      const { rows } = await readTable(readFileSync(path.join(tables, 'csvs', file)), '.csv', new Turns());
      const wanted = readFileSync(path.join(tables, 'json', file.replace('.csv', '.json')), 'utf8');
      return sameJson(
        rows.map(({ values }) => values),
        JSON.parse(wanted),
      )
        ? []
        : [file];
    }),
  );
  print('tables with the cells that their package lists', read);
  const photographs = path.join(await fetched(PHOTOGRAPHS), 'package/test');
  const files = readdirSync(photographs).filter((file) => file.endsWith('.jpg'));
  const kept = files.map((file) => {
    const bytes = readFileSync(path.join(photographs, file));
    const { image } = JSON.parse(readFileSync(path.join(photographs, `${file}.json`), 'utf8'));
    const without = withoutMetadata(bytes);
    const isTurned = [bytes, without!].every((one) => (regionsTurn(one) ?? 1) === (image.Orientation ?? 1));
    const pixels = (one: Uint8Array) => jpeg.decode(one, { maxMemoryUsageInMB: 1000 }).data;
    return isTurned && Buffer.compare(pixels(bytes), pixels(without!)) === 0 ? [] : [file];
  });
  print('photographs whose pixels and orientation stay in a report', kept);
}

function print(what: string, wrong: readonly (readonly string[])[]): void {
  const names = wrong.flat();
  console.log(`\n${what}: ${wrong.length - names.length} of ${wrong.length}`);
  for (const name of names) console.log(`- ${name}`);
}
