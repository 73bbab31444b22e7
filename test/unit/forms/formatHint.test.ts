import assert from 'node:assert/strict';
import { formatHint } from '../../../src/forms/fields/formatHint';
import { validateValue } from '../../../src/forms/validate';

describe('A hint at a format', () => {
  const right: [format: string, text: string][] = [
    ['uri', 'data:image/png;base64,AAAA'],
    ['uri', 's3://bucket/key'],
    ['url', 'https://example.com'],
    ['email', 'a@b'],
    ['email', 'a@b@c'],
    ['idn-email', 'é@b'],
    ['date', '2024-02-29'],
    ['time', '14:30:00+02:00'],
    ['date-time', '2024-05-31T14:30:00.5Z'],
    ['date-time', '2024-12-31 23:59:60-09:30'],
    ['date-time', '2024-05-31t14:30:00z'],
    ['uuid', '123e4567-e89b-12d3-a456-426614174000'],
    ['made-up', 'anything'],
    ['toString', 'anything'],
    ['date', ''],
  ];
  for (const [format, text] of right)
    it(`stays away for the ${format} ${JSON.stringify(text)}`, () =>
      assert.equal(formatHint(format, text), undefined));

  for (const [format, text] of [
    ['uri', 'example.com/a.png'],
    ['email', 'nobody'],
    ['email', '@b'],
    ['email', 'a@'],
    ['idn-email', 'a b@c'],
    ['url', 'example.com'],
    ['date-time', '14:30:00Z'],
    ['date', '31.5.2024'],
    ['time', '14:30'],
    ['time', '24:00:00Z'],
    ['time', '14:60:00Z'],
    ['date', '2024-13-01'],
    ['date', '2024-05-32'],
    ['date-time', '2024-05-31T'],
    ['date-time', 'T14:30:00Z'],
    ['date-time', '2024-05-31'],
    ['uuid', '42'],
  ] as const)
    it(`appears for the ${format} ${text}, which still passes`, () => {
      assert.match(formatHint(format, text) ?? '', /^Expected: /);
      assert.equal(formatHint(format, 5), undefined);
      assert.equal(validateValue({ type: 'string', format }, text).verdict, 'valid');
    });
});
