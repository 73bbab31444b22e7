import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { readResults } from '../support/atOnce';
import { callHere } from '../support/commandLine';
import type { RunPanel } from '../support/runPanel';
import { useService } from './useService';

const WALLET = 'modelBench.wallet';
const DURATION = /\d[\d.,]* (?:ms|s|min)\b/;
const COST = /\$\d[\d.]*/;
/** Not the words of the service, nor "0 of 1 finished, 1 failed". */
const STATE = /(?<!0 of 1 )(?:unconfirmed|failed|finished)/i;

const first = (text: string | null | undefined, pattern: RegExp) => pattern.exec(text ?? '')?.[0];

/** By place: its text about a run. */
type Places = Readonly<Record<string, string>>;

/** Lost, refused and late responses of the service. */
const REFUSED = () => ({ status: 422, body: { message: 'This text is not accepted.' } });
const LOST = () => ({ status: 504, body: { message: 'timed out' } });
const WITHOUT_COST = ({ body }: { readonly body?: unknown }) => {
  const { cost: _cost, billing: _billing, usage: _usage, ...rest } = body as Record<string, unknown>;
  return { body: rest };
};

describe('A fact of a run', () => {
  const suite = useService();

  /** The fact that all of these places tell, once it is the same in all. @param wanted undefined: none has it */
  const agreed = async (read: () => Promise<Places>, pattern: RegExp, wanted: RegExp | undefined) => {
    let places: Places = {};
    const isAgreed = async () => {
      places = await read();
      const [one, ...others] = Object.values(places).map((text) => first(text, pattern)?.toLowerCase());
      const isWanted = wanted ? one !== undefined && wanted.test(one) : one === undefined;
      return isWanted && others.every((other) => other === one);
    };
    await suite.panels.until(isAgreed, `${wanted} everywhere`).catch((error: Error) => {
      throw new Error(`${error.message}\n${JSON.stringify(places, undefined, 2)}`);
    });
    return first(Object.values(places)[0], pattern);
  };
  const usage = async (): Promise<Page> => {
    await suite.panels.runCommand('Model Bench: Show Usage and Billing');
    return suite.panels.page('Usage and Billing');
  };
  /** The charge in the activity of the service that the page lists, by the ID of the run. */
  const charged = async (runId: string): Promise<string> => {
    const row = (await usage()).locator(`tr[title*="${runId}"]`);
    return (await row.count()) === 0 ? '' : ((await row.first().textContent()) ?? '');
  };
  const inTerminal = async (...words: string[]): Promise<string> => {
    const { panels, sandbox } = suite;
    const { out, err } = await callHere(words, { cwd: panels.workspace, apiKey: sandbox.apiKey });
    return out + err;
  };
  /** The balance in the status bar, on the usage page and in the terminal, and the sums of the history and of the page. */
  const sums = async (): Promise<void> => {
    const { panels, service } = suite;
    const page = await usage();
    await panels.runCommand('Model Bench: Refresh');
    const balance = first(await inTerminal('wallet', '--base-url', service.url), COST)!;
    await panels.statusItem(WALLET, balance);
    await page.locator('.card', { hasText: 'Balance' }).getByText(balance, { exact: true }).waitFor();
    const spent = async () => ({
      page: (await page.getByText(/^Spent from this window/).textContent()) ?? '',
      history: (await panels.row('History', /^Today/)).description,
    });
    await agreed(spent, COST, COST);
  };

  describe('The run of a panel', () => {
    const of = (input: string) => async (): Promise<Places> => {
      const { panels } = suite;
      const panel = await panels.runPanel(/Sentiment/);
      const row = await panels.row('History', input);
      return {
        result: await panel.result.locator('.outcome').first().innerText(),
        history: row.description,
        hover: row.tooltip.replaceAll('\\', ''),
        earlier: (await panel.frame.locator('.earlier li', { hasText: input }).first().textContent()) ?? '',
      };
    };
    const only =
      (input: string, ...names: readonly string[]) =>
      async () =>
        Object.fromEntries(Object.entries(await of(input)()).filter(([name]) => names.includes(name)));
    const withCharge = (input: string, panel: RunPanel) => async () => ({
      ...(await of(input)()),
      usage: await charged((await panel.result.locator('.run-id').innerText()).trim()),
    });
    const run = async (input: string, change?: Parameters<typeof suite.service.change>[1]) => {
      const { panels, service } = suite;
      service.change('/api/runs', change);
      const panel = await panels.runPanel(/Sentiment/);
      await panel.fill('Text', input);
      await panel.run();
      service.change('/api/runs');
      return panel;
    };
    const timed = (input: string) => only(input, 'result', 'history');
    const named = (input: string) => only(input, 'result', 'history', 'hover', 'earlier');

    it('appears equal in each place after the run has finished', async () => {
      await suite.panels.openRunPanel(/^Sentiment/);
      const panel = await run('finishes');
      await agreed(timed('finishes'), DURATION, DURATION);
      await agreed(withCharge('finishes', panel), COST, COST);
      await sums();
    });

    it('appears equal after the run has failed', async () => {
      await run('fails', REFUSED);
      await agreed(timed('fails'), DURATION, DURATION);
      await agreed(named('fails'), STATE, /failed/);
      await sums();
    });

    it('names no duration of a run that was stopped, and its input among the unconfirmed', async () => {
      await run('is stopped', LOST);
      await agreed(named('is stopped'), STATE, /unconfirmed/);
      await agreed(timed('is stopped'), DURATION, undefined);
      const runs = (await usage()).getByRole('region', { name: 'Unknown outcomes and costs' });
      await runs.getByText(/is stopped · unconfirmed/).waitFor();
      await sums();
    });

    it('follows the record everywhere once the run is confirmed', async () => {
      const { panels } = suite;
      const runs = (await usage()).getByRole('region', { name: 'Unknown outcomes and costs' });
      await runs.getByRole('button', { name: /^Yes: .*is stopped/ }).click();
      await runs.waitFor({ state: 'detached' });
      const panel = await panels.runPanel(/Sentiment/);
      await panel.result.getByText('You matched this run').first().waitFor();
      await agreed(withCharge('is stopped', panel), COST, COST);
      await agreed(timed('is stopped'), DURATION, undefined);
      assert.doesNotMatch(JSON.stringify(await of('is stopped')()), /unconfirmed/i);
      await sums();
    });

    it('follows an outcome that is set in the history', async () => {
      const { panels } = suite;
      await run('was never executed', LOST);
      const runs = (await usage()).getByRole('region', { name: 'Unknown outcomes and costs' });
      await runs.getByText('was never executed').waitFor();
      const row = await panels.row('History', /was never executed.*unconfirmed/);
      await panels.rowMenu(row, 'Set Run Outcome…');
      await panels.answer(/What was the outcome of this run/, /It was not executed/);
      await runs.waitFor({ state: 'detached' });
      await agreed(named('was never executed'), STATE, /failed/);
      await agreed(timed('was never executed'), DURATION, undefined);
    });

    it('appears everywhere when the run is charged late', async () => {
      const panel = await run('is charged late', WITHOUT_COST);
      await agreed(withCharge('is charged late', panel), COST, COST);
      await sums();
    });
  });

  describe('The run of a table', () => {
    const of = (name: string) => async (): Promise<Places> => {
      const { panels } = suite;
      const page = await panels.page(new RegExp(name));
      const cell = page.locator('#cell-0-0');
      const signs = await cell.locator('[role=img]').evaluateAll((all) => all.map((one) => one.ariaLabel));
      const summary = async (kind: string) => {
        const name = page.getByRole('rowheader', { name: kind, exact: true });
        const texts = await page.getByRole('row').filter({ has: name }).allInnerTexts();
        return texts.join();
      };
      const job = await panels.row('History', name);
      const [ofRun] = await panels.rows('History', job.element);
      const printed = await inTerminal('experiment', `${name}.experiment.json`, '--figures');
      return {
        cell: await cell.innerText(),
        sign: signs.join(' '),
        head: await page.getByRole('columnheader').nth(1).innerText(),
        cost: await summary('cost'),
        time: await summary('median time'),
        job: job.description,
        run: ofRun!.description,
        printedCost: /^cost\n.*$/m.exec(printed)?.[0] ?? '',
        printedTime: /^median time\n.*$/m.exec(printed)?.[0] ?? '',
        printed,
      };
    };
    const only =
      (name: string, ...places: readonly string[]) =>
      async () =>
        Object.fromEntries(Object.entries(await of(name)()).filter(([place]) => places.includes(place)));
    /** The outcome in the results file. */
    const recorded = async (name: string) => {
      const file = path.join(suite.panels.workspace, `${name}.results.jsonl`);
      const { results, sent } = readResults(await readFile(file, 'utf8').catch(() => ''));
      return results.find(({ custom_id: id }) => !sent.has(id));
    };
    const costs = (name: string) => async () => {
      const line = await recorded(name);
      return {
        ...(await only(name, 'cell', 'cost', 'job', 'run', 'printedCost')()),
        ...(line?.run_id !== undefined && { usage: await charged(line.run_id) }),
      };
    };
    const times = (name: string) => only(name, 'cell', 'time', 'printedTime');
    const states = (name: string) => only(name, 'sign', 'head', 'job', 'run');
    const run = async (name: string, change?: Parameters<typeof suite.service.change>[1]) => {
      const { panels, service } = suite;
      const experiment = {
        run: { model: 'sentiment', input: {} },
        vary: { '/input/text': [`text that ${name}`] },
      };
      await writeFile(path.join(panels.workspace, `${name}.experiment.json`), JSON.stringify(experiment));
      service.change('/api/runs', change);
      panels.openFile(`${name}.experiment.json`);
      await panels.page(new RegExp(name));
      panels.command('modelBench.runExperiment', panels.uri(`${name}.experiment.json`));
      await panels.answer(/Start 1 run/, /Start 1 Run/);
      await panels.until(() => recorded(name), `The outcome of ${name}`);
      service.change('/api/runs');
    };

    it('appears equal in each place after the run has finished', async () => {
      await run('tableEnds');
      await agreed(costs('tableEnds'), COST, COST);
      await agreed(times('tableEnds'), DURATION, DURATION);
      await agreed(only('tableEnds', 'head', 'printed'), STATE, /finished/);
      await sums();
    });

    it('appears equal after the run has failed', async () => {
      await run('tableRefused', REFUSED);
      await agreed(states('tableRefused'), STATE, /failed/);
      await agreed(costs('tableRefused'), COST, undefined);
      await sums();
    });

    it('follows a run that was stopped, and then recognized in the activity', async () => {
      await run('tableLost', LOST);
      await agreed(states('tableLost'), STATE, /unconfirmed/);
      await agreed(times('tableLost'), DURATION, undefined);
      await agreed(only('tableLost', 'cell', 'cost', 'job', 'run', 'printedCost'), COST, undefined);
      const runs = (await usage()).getByRole('region', { name: 'Unknown outcomes and costs' });
      await runs.getByRole('button', { name: /^Yes: .*tableLost/ }).click();
      await runs.waitFor({ state: 'detached' });
      await agreed(costs('tableLost'), COST, COST);
      await agreed(times('tableLost'), DURATION, undefined);
      await sums();
    });

    it('appears everywhere when the run is charged late', async () => {
      await run('tableLate', WITHOUT_COST);
      await agreed(costs('tableLate'), COST, COST);
      await sums();
    });
  });
});
