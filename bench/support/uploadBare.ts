// The yardstick: node:http and a file stream only. Prints seconds and peak memory in kB.
import { createReadStream, statSync } from 'node:fs';
import http from 'node:http';
import { pipeline } from 'node:stream/promises';

const [, , baseUrl = '', file = ''] = process.argv;
const start = performance.now();
const request = http.request(`${baseUrl}/put`, {
  method: 'PUT',
  headers: { 'content-type': 'application/octet-stream', 'content-length': statSync(file).size },
});
const answered = new Promise<void>((resolve, reject) => {
  request.once('error', reject);
  request.once('response', (response) => response.resume().once('end', resolve));
});
await pipeline(createReadStream(file), request);
await answered;
const seconds = (performance.now() - start) / 1_000;
console.log(JSON.stringify({ seconds, peakKb: process.resourceUsage().maxRSS }));
