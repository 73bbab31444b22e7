import assert from 'node:assert/strict';
import { forward, type SeenRequest, type StubResponse, startFaultProxy } from '../../support/faultProxy';
import { RunPanel } from '../../support/runPanel';
import { sandboxInProcess } from '../../support/sandbox';
import { useVSCode } from '../journey';

const MODELS = ['sentiment', ...Array.from({ length: 59 }, (_, n) => `model-${n + 2}`)];
const PAGE = 50;

/** The sandbox in words of its own: pages by a parameter that no response names, and runs in other words. */
async function foreign(behind: string, request: SeenRequest): Promise<StubResponse> {
  const { pathname, searchParams } = new URL(request.path, behind);
  if (pathname === '/api/marketplace/models') {
    const page = Number(searchParams.get('page') ?? 1);
    const items = MODELS.slice((page - 1) * PAGE, page * PAGE).map((slug) => ({ slug, modes: ['execute'] }));
    return { body: { items, page, size: PAGE, total: MODELS.length } };
  }
  const reply = await forward(behind, request);
  if (pathname !== '/api/runs') return reply;
  const { output } = JSON.parse(String(reply.body)) as { output: unknown };
  return { body: { ref: 'r-1', phase: 'ABGESCHLOSSEN', payload: { answer: output }, billing: { ct: 1 } } };
}

describe('A service in words of its own', () => {
  let sandbox: Awaited<ReturnType<typeof sandboxInProcess>>;
  let service: Awaited<ReturnType<typeof startFaultProxy>>;
  const journey = useVSCode();

  before(async () => {
    sandbox = await sandboxInProcess();
    service = await startFaultProxy({ behind: (request) => foreign(sandbox.baseUrl, request) });
  });
  after(async () => {
    await service?.close();
    await sandbox?.stop();
  });

  it('sends all its models once the user names the parameter of the next page', async () => {
    const { vscode } = journey;
    await vscode.runCommand('Model Bench: Connect to a Service…');
    await vscode.answerQuickInput('Company', /Name/);
    await vscode.answerQuickInput(service.url, /Base URL/);
    await vscode.answerQuickInput(sandbox.apiKey, /API Key/);
    const note = vscode.treeRow('Catalog', /60 models, but the service sent 50/);
    await note.waitFor();
    await vscode.screenshot('journeys/service/pages-before');
    await vscode.whenAsked(
      () => note.click(),
      /Which Parameter Asks/,
      () => vscode.answerQuickInput('page'),
    );
    await vscode.answerQuickInput('/page', /Where Does a Response/);
    await vscode.notificationText(/60 models instead of 50/);
    await note.waitFor({ state: 'detached' });
    await vscode.screenshot('journeys/service/pages-after');
  });

  it('becomes understood after three values were pointed at, without another run', async () => {
    const { vscode } = journey;
    await vscode.clearNotifications();
    await vscode.runCommandThatAsks('Model Bench: Run Model…', 'Choose a model to run', () =>
      vscode.pick(/sentiment/),
    );
    // A catalog that names its models by their ids only gives the page its first title: VS Code may keep that one.
    const panel = await RunPanel.in(vscode, /sentiment/i);
    await panel.frame.getByRole('textbox', { name: /text/i }).first().fill('What a lovely day.');
    await panel.button('Run').click();
    await panel.result.getByText('Response not understood').first().waitFor();
    await panel.button('Show What Came').click();
    const point = async (value: RegExp, use: RegExp) => {
      await panel.frame.getByRole('treeitem', { name: value }).first().click();
      await panel.button('Use As…').click();
      await vscode.pick(use, /In all responses of/);
    };
    await point(/ABGESCHLOSSEN/, /means finished/);
    await panel.result
      .getByText(/^Finished/)
      .first()
      .waitFor();
    await vscode.screenshot('journeys/service/pointed-state');
    await panel.frame.getByRole('treeitem', { name: /^billing/ }).click();
    await point(/^ct: 1/, /hundredths/);
    await vscode.answerQuickInput('EUR', /Currency/);
    await panel.result
      .getByText(/€0\.01/)
      .first()
      .waitFor();
    await panel.frame.getByRole('treeitem', { name: /^payload/ }).click();
    await point(/^answer/, /^Result$/);
    await panel.showResult('Preview');
    await panel.result
      .getByText(/result: \/payload\/answer.*by your mapping/)
      .first()
      .waitFor();
    await panel.result.getByText('positive').first().waitFor();
    assert.equal(await panel.result.getByText('ABGESCHLOSSEN').count(), 0);
    await vscode.screenshot('journeys/service/pointed');
    assert.equal(service.executedRuns, 1);
  });
});
