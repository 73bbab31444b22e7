import assert from 'node:assert/strict';
import { isOfOrigins, type OriginPattern, readOriginPattern } from '../../../src/service/allowedOrigins';

/** The patterns of a list whose entries are all understood. */
function patterns(...entries: string[]): OriginPattern[] {
  return entries.map((entry) => {
    const pattern = readOriginPattern(entry);
    assert.ok(pattern, entry);
    return pattern;
  });
}

describe('The allowed origins', () => {
  it('accept only whole origins', () => {
    for (const entry of [
      ...['', '*', 'models.example.com', 'https://', 'https://*', 'https://*.', 'https://a*.example.com'],
      ...['https://*.*.example.com', 'https://models.*.com', 'https://*.0.0.1'],
      ...['https://user@models.example.com', 'https://user:word@models.example.com'],
      ...['https://models.example.com/v1', 'https://models.example.com/?a=b'],
      ...['https://models.example.com/#a', 'http://models.example.com', 'ftp://models.example.com'],
      'file:///etc/passwd',
    ])
      assert.equal(readOriginPattern(entry), undefined, entry);
  });

  it('allow an address of their hosts in every spelling of the URL', () => {
    const allowed = patterns('https://models.example.com', 'https://bücher.example', 'http://localhost:8080');
    for (const baseUrl of [
      ...['https://models.example.com', 'https://models.example.com/gateway/v1'],
      ...['https://MODELS.example.com:443', 'https://xn--bcher-kva.example'],
      ...['https://B%C3%BCcher.example', 'http://localhost:8080'],
    ])
      assert.ok(isOfOrigins(baseUrl, allowed), baseUrl);
  });

  it('reject similar origins', () => {
    const allowed = patterns(
      'https://models.example.com',
      'https://*.team.example.com',
      'http://localhost:8080',
    );
    for (const baseUrl of [
      'https://models.example.com.evil.com',
      'https://evil-models.example.com',
      'https://models.example.comevil.com',
      'https://models.example.com@evil.com',
      'https://models.example.com:443@evil.com',
      'https://evil.com/https://models.example.com',
      'https://evil.com\\@models.example.com',
      'https://evil.com?https://models.example.com',
      'https://evil.com#.team.example.com',
      'https://models.example.com:8443',
      'https://models.example.com.',
      'https://models。example。com.evil.com',
      'https://mоdels.example.com',
      'http://models.example.com',
      'https://example.com',
      'https://team.example.com',
      'https://evilteam.example.com',
      'https://team.example.com.evil.com',
      'http://localhost',
      'http://localhost:80801',
      'https://localhost:8080',
      'http://127.0.0.1:8080',
      'no address',
      '',
    ])
      assert.ok(!isOfOrigins(baseUrl, allowed), baseUrl);
    assert.ok(isOfOrigins('https://one.team.example.com', allowed));
    assert.ok(isOfOrigins('https://a.one.team.example.com/api', allowed));
  });
});
