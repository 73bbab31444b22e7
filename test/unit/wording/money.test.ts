import assert from 'node:assert/strict';
import { formatBalance, formatMoney } from '../../../src/wording/money';

describe('Formatted amounts of money', () => {
  it('follow the locale, with every decimal that a price needs', () => {
    assert.equal(formatMoney({ amount: '102.34', currency: 'USD' }, 'en'), '$102.34');
    assert.equal(formatMoney({ amount: '1234.5', currency: 'EUR' }, 'de'), '1.234,50\u00a0€');
    assert.equal(formatMoney({ amount: '0.0125', currency: 'USD' }, 'en'), '$0.0125');
    assert.equal(formatMoney({ amount: '0.00000042', currency: 'USD' }, 'en'), '$0.00000042');
    assert.equal(formatMoney({ amount: '1200', currency: 'JPY' }, 'en'), '¥1,200');
    assert.equal(formatMoney({ amount: '4.1' }, 'en'), '4.10');
    assert.equal(formatMoney({ amount: '100' }, 'en'), '100');
    assert.equal(formatMoney({ amount: '12.5', currency: 'credits' }, 'en'), '12.50 credits');
    assert.equal(
      formatMoney({ amount: '12345678901234567890.12', currency: 'USD' }, 'en'),
      '$12,345,678,901,234,567,890.12',
    );
  });

  it('become no whole amount by rounding, as that of a budget', () => {
    const text = (amount: string) => formatMoney({ amount, currency: 'USD' }, 'en');
    assert.equal(text('9.9999996'), '$9.9999996');
    assert.equal(text('0.99999999'), '$0.99999999');
    assert.equal(text('9.9999986'), '$9.999999');
    assert.equal(text('1.2345678'), '$1.234568');
  });

  it('appear rounded when they are estimates', () => {
    const about = (amount: string) => formatMoney({ amount }, 'en', { about: true });
    assert.equal(about('4.09986'), '4.10');
    assert.equal(about('0.0227'), '0.023');
    assert.equal(about('0.5'), '0.50');
    assert.equal(about('12'), '12');
  });

  it('shows a balance with the decimals of its currency, never more than there is', () => {
    const balance = (amount: string, currency?: string) => formatBalance({ amount, currency }, 'en');
    assert.deepEqual(
      ['10', '9.998', '9.981', '9.98'].map((amount) => balance(amount, 'USD')),
      ['$10.00', '$9.99', '$9.98', '$9.98'],
    );
    assert.equal(balance('1250.7', 'JPY'), '¥1,250');
    assert.equal(balance('12.5', 'credits'), '12.50 credits');
    assert.equal(balance('-0.001', 'USD'), '-$0.01');
  });
});
