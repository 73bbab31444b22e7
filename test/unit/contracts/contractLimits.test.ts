import assert from 'node:assert/strict';
import { readDetail } from '../../../src/contracts/model';
import type { JsonObject } from '../../../src/domain/json';
import { validateValue } from '../../../src/forms/validate';
import { bodyContent } from '../../../src/intake/bodyContent';

const detail = (body: string) => {
  const bytes = Buffer.from(body);
  const contentType = 'application/json';
  const raw = { status: 200, headers: {}, bytes, ...bodyContent(bytes, contentType) };
  return readDetail(raw, 'm')!;
};

describe('A contract with numbers that JavaScript would change', () => {
  it('limits values by them, and sends none of them in place of another', () => {
    const contract =
      detail(`{"slug":"m","input_schema":{"type":"object","required":["seed","account"],"properties":{
      "seed":{"type":"integer","minimum":0,"maximum":18446744073709551615,"default":12345678901234567890},
      "account":{"type":"integer","default":9007199254740993}}}}`);
    const { schema } = contract.modes[0]!.input;
    const fields = (schema as { properties: Record<string, { default: unknown }> }).properties;
    const given = Object.fromEntries(
      Object.entries(fields).map(([name, field]) => [name, field.default]),
    ) as JsonObject;
    assert.deepEqual(given, { seed: '12345678901234567890', account: '9007199254740993' });
    const { issues } = validateValue(schema, given);
    assert.deepEqual(
      issues.map(({ pointer, message }) => [pointer, message.split(':')[0]]),
      [
        ['/seed', '12345678901234567890 cannot be sent exactly'],
        ['/account', '9007199254740993 cannot be sent exactly'],
      ],
    );
    assert.deepEqual(validateValue(schema, { seed: 7, account: 1 }).issues, []);
    assert.equal(validateValue(schema, { seed: 1e21, account: 1 }).issues.length, 1);
  });
});
