import type { Plan } from '../../src/indexing/plan';
import type { IndexedFile } from '../../src/store/items';
import { type Judge, SCOPE, type SentRun, targetOf } from './judge';
import { contentOf, MODEL, type SimService } from './service';
import type { Surroundings } from './window';

type Compared = Pick<Surroundings, 'judge' | 'services' | 'folder' | 'scenario'>;

/** Compares, when everything has come to rest, the store with the services. Returns how many items are unconfirmed. */
export function compareWithService(around: Compared): number {
  const { judge, services } = around;
  let unconfirmed = 0;
  for (const service of services) {
    const ids = new Set(judge.sent.flatMap((run) => (run.isPanel ? [] : run.ids)));
    const dataset = { baseUrl: service.baseUrl, model: MODEL, scope: SCOPE };
    for (const id of ids) {
      const item = judge.datasets.find(dataset, id);
      if (item?.outcome === 'unknown') unconfirmed++;
      compare(judge, service, id, item);
    }
  }
  return unconfirmed;
}

function compare(judge: Judge, service: SimService, id: string, item: IndexedFile | undefined): void {
  const runs = judge.sent.filter((run) => run.service === service && run.ids.includes(id));
  const kept = runs.flatMap(({ served, ids }) => {
    const place = ids.indexOf(id);
    return served?.isKept && !served.failed.includes(place) ? [served.hashes[place]] : [];
  });
  const isUnclear = runs.some(({ told }) => told === undefined || told === 'unclear');
  const has = service.indexed.get(SCOPE)?.get(id);
  const known = item && `${item.outcome} (${item.reason ?? item.sha256.slice(0, 8)})`;
  switch (item?.outcome) {
    case undefined:
      if (runs.some(({ told }) => told !== 'notExecuted'))
        judge.fail('nothing the service has is recorded as never sent', `${id} has no outcome in the store`);
      return;
    case 'indexed':
      if (!kept.includes(item.sha256))
        judge.fail('nothing is recorded as done that the service does not have', `${id} is ${known}`);
      else if (!isUnclear && has !== item.sha256)
        judge.fail('the store equals the service', `${id} is ${known}, and the service has ${has}`);
      return;
    case 'failed':
      if (!isUnclear && has === item.sha256)
        judge.fail('the store equals the service', `${id} is ${known}, and the service has it`);
      return;
    case 'unknown':
      // Held responses end with a window that could not write; one that cannot for a minute also loses its leases, and another
      // window takes its requests for lost.
      if (runs.some(({ process }) => process.isHindered)) return;
      if (!isUnclear && !judge.excused.has(`${targetOf(service)} ${id}`))
        judge.fail('unconfirmed is only what was in flight', `${id} is ${known}`);
  }
}

/** Files that a plan takes for unchanged are at the service in their present state. */
export function comparePlan({ judge, folder }: Compared, service: SimService, plan: Plan): void {
  const contents = folder.contents();
  for (const { imageId, uri } of plan.unchanged) {
    const { sha256 } = contentOf(contents.get(uri) ?? '');
    const served = judge.sent.flatMap((run) => {
      const place = run.service === service ? run.ids.indexOf(imageId) : -1;
      return place >= 0 && run.served?.isKept ? [run.served.hashes[place]] : [];
    });
    if (!served.includes(sha256))
      judge.fail('nothing is called unchanged that the service does not have', `${imageId} has changed`);
  }
}

/**
 * The recorded spending equals the costs in the responses, plus the highest known cost for lost ones. It is never less
 * than the service's published prices, even where processes have ended with runs in flight.
 */
export function compareSpending({ judge, services, scenario }: Compared): void {
  // Amounts that could not be written are counted by their process alone.
  if (scenario.troubles.some(({ kind }) => kind === 'disk')) return;
  const hasEnded = scenario.troubles.some(
    (one) =>
      one.kind === 'death' || one.kind === 'deathAtChange' || (one.kind === 'user' && one.act === 'close'),
  );
  for (const service of services) {
    const charged = judge.sent.filter((run) => run.service === service && run.told !== 'notExecuted');
    const sum = (of: (run: SentRun) => number) => charged.reduce((all, run) => all + of(run), 0);
    const published = sum(({ ids }) => ids.length);
    const cents = hasEnded ? published : sum((run) => judge.countedCents(run));
    // A charge above the published price raises the reserves of later runs.
    const dearest = Math.max(0, ...charged.map(({ served }) => served?.cents ?? 0));
    const most = sum((run) => (judge.isTold(run) ? 0 : dearest)) + cents;
    const spent = judge.spentAt(service, Number.POSITIVE_INFINITY);
    if (spent < cents || (!hasEnded && spent > most))
      judge.fail('what is spent is written down', `${spent} cents are, and ${cents} were spent`);
  }
}
