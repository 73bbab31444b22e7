// Takes uploads and keeps nothing: prints its address, ends with its input. Responses init and complete as section 2.3 and 2.4 show.
import http from 'node:http';
import type { AddressInfo } from 'node:net';

const server = http.createServer((request, response) => {
  request.resume().on('end', () => {
    response.setHeader('content-type', 'application/json');
    const address = `http://${request.headers.host}/put`;
    response.end(JSON.stringify({ upload_url: address, upload_id: 'u', media_ref: 'r' }));
  });
});
server.listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
process.stdin.resume().on('end', () => process.exit());
