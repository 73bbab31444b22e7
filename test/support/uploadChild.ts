// Uploads the files at argv[3...] in turn to the service at argv[2] and prints the process's peak memory in kB: run by uploadMemory.test.ts.
import { stat } from 'node:fs/promises';
import { createServiceClient } from '../../src/service/createClient';
import { fileBytes } from '../../src/service/fileBytes';

const [, , baseUrl = '', ...files] = process.argv;
const client = createServiceClient({
  environment: 'child',
  baseUrl,
  apiKey: async () => 'mb-child-key',
  network: {},
  log: { debug() {}, info() {}, warn() {} },
});
let mediaRef: string | undefined;
for (const file of files)
  ({ mediaRef } = await client.upload({
    filename: 'big.bin',
    contentType: 'application/octet-stream',
    mediaType: 'file',
    sizeBytes: (await stat(file)).size,
    open: () => fileBytes(file),
  }));
client.close();
console.log(JSON.stringify({ mediaRef, peakKb: process.resourceUsage().maxRSS }));
