// Takes uploads and keeps nothing: prints its address, ends with its input. Responses init and complete as section 2.3 and 2.4 show.
import { listenOnLoopback } from '../../test/support/loopback';

const { url } = await listenOnLoopback((request, response) => {
  request.resume().on('end', () => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ upload_url: `${url}/put`, upload_id: 'u', media_ref: 'r' }));
  });
});
console.log(url);
process.stdin.resume().on('end', () => process.exit());
