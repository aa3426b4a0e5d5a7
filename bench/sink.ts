// Receives deliveries in a process of its own, on as many origins as its argument says, by default one; `GET /` returns
// their number. Prints its URLs in one line.
import { listenAs } from './origins.ts';

let received = 0;
await listenAs(Number(process.argv[2] ?? 1), (request, response) => {
  if (request.method === 'GET') {
    response.end(String(received));
    return;
  }
  request.resume();
  request.on('end', () => {
    received++;
    response.end();
  });
});
process.on('disconnect', () => process.exit());
