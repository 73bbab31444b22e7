// The parts of a window around its runs, in a process of its own, without VS Code: it runs a model again and again, until
// the budget of its folder allows no further run.
import { Guard } from '../../../src/runs/budget/guard';
import { WorkspaceSpending } from '../../../src/runs/budget/workspaceSpending';
import { Estimates } from '../../../src/runs/estimates/estimates';
import { openHistory } from '../../../src/runs/history/history';
import { JobRuns } from '../../../src/runs/history/jobRuns';
import { createRuns } from '../../../src/runs/perform';
import { createServiceClient } from '../../../src/service/createClient';
import { openStore, storeFolder } from '../../../src/store/store';
import { workspaceId } from '../../../src/store/workspaceId';

const [baseUrl = '', state = '', folder = '', name = '', budget = ''] = process.argv.slice(2);
const quiet = () => undefined;
const log = { debug: quiet, info: quiet, warn: quiet };
const environment = { name: 'command line', baseUrl };
const client = createServiceClient({
  environment: environment.name,
  baseUrl,
  apiKey: async () => 'key',
  network: {},
  log,
});
const store = await openStore(storeFolder(state));
const history = await openHistory(store, { limit: () => 200, log: quiet });
const jobRuns = new JobRuns(store, quiet);
const guard = new Guard({
  limits: () => ({ confirmRuns: 20, workspace: { amount: budget } }),
  estimates: new Estimates([history, jobRuns], 'en'),
  spent: new WorkspaceSpending(store, workspaceId([folder]), { log: quiet }),
});
const runs = createRuns({ client: async () => client, history, guard, jobRuns, cache: store.uploads });
const contract = await client.getModel('m');
for (let n = 1, isOver = false; !isOver; n += 1) {
  const draft = { model: 'm', mode: 'execute', input: { window: `${name} ${n}` }, params: {} };
  const { record } = await runs.perform({ environment, contract, draft, files: [] });
  isOver = record.state === 'notSent';
}
console.log('budget reached');
client.close();
history.close();
jobRuns.close();
await store.close();
