// Uploads the file at argv[3] to the service at argv[2], as the extension does. Prints seconds and peak memory in kB.
import { stat } from 'node:fs/promises';
import { createServiceClient } from '../../src/service/createClient';
import { fileBytes } from '../../src/service/fileBytes';

const [, , baseUrl = '', file = ''] = process.argv;
const quiet = () => undefined;
const client = createServiceClient({
  environment: 'bench',
  baseUrl,
  apiKey: async () => 'bench-key',
  network: {},
  log: { debug: quiet, info: quiet, warn: quiet },
});
// The first request loads the transport; the yardsticks also have theirs loaded.
await client.wallet().catch(quiet);
const sizeBytes = (await stat(file)).size;
const start = performance.now();
await client.upload({
  ...{ filename: 'big.bin', contentType: 'application/octet-stream', mediaType: 'file', sizeBytes },
  open: () => fileBytes(file),
});
const seconds = (performance.now() - start) / 1_000;
client.close();
console.log(JSON.stringify({ seconds, peakKb: process.resourceUsage().maxRSS }));
