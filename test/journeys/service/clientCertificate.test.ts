import { mkdtemp, rm } from 'node:fs/promises';
import type https from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { askingServer, type CertificateFiles, certificateIn } from '../../support/clientCertificate';
import { smallService } from '../../support/smallService';
import { useVSCode } from '../journey';

describe('The question for a passphrase', () => {
  let folder: string;
  let files: CertificateFiles;
  let server: https.Server;
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'model-bench-certificate-'));
    files = await certificateIn(folder);
    const service = smallService('Echo');
    server = await askingServer(files, ({ url: route = '' }, response) => {
      const { body } = service({ path: route, method: 'GET', headers: {}, body: Buffer.alloc(0), atMs: 0 });
      response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
    });
  });
  after(async () => {
    server.close();
    await rm(folder, { recursive: true });
  });
  // The certificate that the server shows is its own.
  const journey = useVSCode({ settings: { 'http.proxyStrictSSL': false } });

  it('gives its place back to the box that it hides', async () => {
    const { vscode } = journey;
    const origin = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await vscode.changeSettings({
      'modelBench.clientCertificates': { [origin]: { cert: files.cert, key: files.locked } },
    });
    await vscode.runCommand('Model Bench: Connect to a Service…');
    await vscode.answerQuickInput('Company', /Name/);
    await vscode.answerQuickInput(origin, /Base URL/);
    await vscode.answerQuickInput('wrong', /Passphrase of the Client Certificate/);
    await vscode.quickInput
      .getByText(/last one was wrong/)
      .first()
      .waitFor();
    await vscode.answerQuickInput('open', /Passphrase of the Client Certificate/);
    await vscode.answerQuickInput('key', /API Key/);
    await vscode.treeRow('Catalog', 'Echo').waitFor();
  });
});
