import { readdirSync, readFileSync } from 'node:fs';
import { type TestGroup, tallyOf } from '../support/forms/officialTests';

const FOLDER = 'test/support/forms/jsonSchemaTestSuite';

/** Prints the results of the official JSON-Schema-Test-Suite, with the failing tests by name. */
export function printOfficialSuite(): void {
  console.log('\n## JSON-Schema-Test-Suite (in the repository, licence: MIT)\n');
  console.log('| draft | tests | right | unknown | refused, though valid | accepted, though invalid |');
  console.log('| ----- | ----- | ----- | ------- | --------------------- | ------------------------ |');
  const short: string[] = [];
  for (const file of readdirSync(FOLDER).filter((name) => name.endsWith('.json'))) {
    const draft = file.replace('.json', '');
    const all = JSON.parse(readFileSync(`${FOLDER}/${file}`, 'utf8')) as Record<string, TestGroup[]>;
    for (const isOptional of [false, true]) {
      const part = Object.entries(all).filter(([name]) => name.startsWith('optional/') === isOptional);
      const { right, unknown, refused, missed } = tallyOf(draft, Object.fromEntries(part));
      const tests = right + unknown.length + refused.length + missed.length;
      const title = isOptional ? `${draft}, optional` : draft;
      console.log(
        `| ${title} | ${tests} | ${right} | ${unknown.length} | ${refused.length} | ${missed.length} |`,
      );
      short.push(...refused, ...missed);
    }
  }
  const files = new Map<string, number>();
  for (const title of short) {
    const file = title.split(':')[0] ?? title;
    files.set(file, (files.get(file) ?? 0) + 1);
  }
  console.log(`\nrefused or accepted wrongly: ${short.length}`);
  for (const [file, count] of files) console.log(`- ${file}: ${count}`);
}
