import assert from 'node:assert/strict';
import JSZip from 'jszip';
import { isPreRelease, NEEDED, packageProblems, versionProblems } from '../../release/checks';

describe('The version of a release', () => {
  const changelog = '# Changelog\n\n## 1.2.3\n\n- New\n\n## 1.2.2\n';

  it('matches the tag and a section of the changelog', () => {
    assert.deepEqual(versionProblems('1.2.3', changelog, 'v1.2.3'), []);
    assert.match(versionProblems('1.2.3', changelog, 'v1.2.4').join(), /The tag is v1\.2\.4/);
    assert.match(
      versionProblems('1.3.0', changelog).join(),
      /no section “## 1\.3\.0”; its first is “## 1\.2\.3”/,
    );
    assert.match(versionProblems('1.2.3-beta', changelog).join(), /numbers only/);
    assert.match(versionProblems('1.2.3', '## 1.2.3 (unreleased)').join(), /no section/);
  });

  it('marks a pre-release by an odd minor version', () => {
    assert.deepEqual(['0.1.0', '0.2.9', '1.3.0', '2.10.0'].map(isPreRelease), [true, false, true, false]);
  });
});

describe('The package of a release', () => {
  const packed = (files: Readonly<Record<string, string>>, version = '1.2.3') => {
    const zip = new JSZip();
    zip.file('extension.vsixmanifest', '<PackageManifest/>');
    for (const name of NEEDED)
      zip.file(`extension/${name}`, name === 'package.json' ? `{"version":"${version}"}` : 'x');
    zip.file('extension/dist/sbom.cdx.json', '{"components":[{"hashes":[{}]}]}');
    for (const [name, text] of Object.entries(files)) zip.file(name, text);
    return zip.generateAsync({ type: 'uint8array' });
  };

  it('contains the needed files only, of this version', async () => {
    assert.deepEqual(await packageProblems(await packed({}), '1.2.3'), []);
    const stray = await packed({ 'extension/out/key.txt': 'k' }, '1.2.2');
    assert.deepEqual(await packageProblems(stray, '1.2.3'), [
      'The package contains out/key.txt, which is no part of it.',
      'The package has the version 1.2.2, and package.json 1.2.3.',
    ]);
    const lacking = await JSZip.loadAsync(await packed({}));
    lacking.remove('extension/dist/extension.js');
    assert.deepEqual(await packageProblems(await lacking.generateAsync({ type: 'uint8array' }), '1.2.3'), [
      'The package lacks dist/extension.js.',
    ]);
  });

  it('carries no scripts or tools of the development, and a bill of materials with hashes', async () => {
    const files = {
      'extension/package.json': '{"version":"1.2.3","scripts":{},"devDependencies":{}}',
      'extension/dist/sbom.cdx.json': '{"components":[{"hashes":[{}]},{}]}',
    };
    assert.deepEqual(await packageProblems(await packed(files), '1.2.3'), [
      "The package's package.json has scripts.",
      "The package's package.json has devDependencies.",
      'The package has no bill of materials with a hash of each part.',
    ]);
  });

  it('carries the mark of a pre-release exactly when its version is one', async () => {
    const mark = '<Property Id="Microsoft.VisualStudio.Code.PreRelease" Value="true" />';
    const marked = await packed({ 'extension.vsixmanifest': mark });
    assert.match((await packageProblems(marked, '1.2.3')).join(), /is marked as a pre-release/);
    const odd = await packed({ 'extension.vsixmanifest': mark }, '1.3.0');
    assert.deepEqual(await packageProblems(odd, '1.3.0'), []);
    assert.match((await packageProblems(await packed({}, '1.3.0'), '1.3.0')).join(), /not marked/);
  });
});
