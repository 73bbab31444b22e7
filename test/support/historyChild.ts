import { openHistory } from '../../src/runs/history/history';

/** A window that is killed while a run is under way: history.test.ts starts and ends it. */
const history = await openHistory(process.argv[2]!, { limit: () => 200, log: () => undefined });
await history.put({
  id: 'killed',
  environment: 'staging',
  baseUrl: 'https://models.test',
  modelName: 'Echo',
  source: 'panel',
  draft: { model: 'echo', mode: 'execute', input: {}, params: {} },
  attachments: [],
  startedAt: 1,
  sentAt: 2,
  state: 'running',
});
process.send?.('recorded');
setInterval(() => undefined, 1_000);
