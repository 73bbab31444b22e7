import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { PNG } from 'pngjs';
import { accessibilityViolations } from '../../support/axe';
import { eventually } from '../../support/eventually';
import { Uri } from '../../support/panels/values';
import { useService } from '../useService';

const SENTIMENT = 'Sentiment (English)';

function picture(red: number): Buffer {
  const png = new PNG({ width: 64, height: 48 });
  for (let at = 0; at < png.data.length; at += 4) png.data.set([red, (at / 16) % 255, 90, 255], at);
  return PNG.sync.write(png);
}

/** A second of silence. */
function sound(): Buffer {
  const bytes = Buffer.alloc(44 + 8000, 128);
  bytes.write('RIFF', 0);
  bytes.writeUInt32LE(36 + 8000, 4);
  bytes.write('WAVEfmt ', 8);
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(1, 22);
  bytes.writeUInt32LE(8000, 24);
  bytes.writeUInt32LE(8000, 28);
  bytes.writeUInt16LE(1, 32);
  bytes.writeUInt16LE(8, 34);
  bytes.write('data', 36);
  bytes.writeUInt32LE(8000, 40);
  return bytes;
}

/** Waits until a player knows its medium; one that cannot play it fails. */
async function isPlayable(player: Locator): Promise<void> {
  const problem = await player.evaluate(
    (media: HTMLMediaElement) =>
      new Promise<string | undefined>((done) => {
        const look = () => {
          if (media.readyState >= 1) done(undefined);
          else if (media.error) done(media.error.message || 'cannot be played');
        };
        for (const event of ['loadedmetadata', 'error']) media.addEventListener(event, look);
        look();
      }),
  );
  assert.equal(problem, undefined);
}

describe('A response in the run panel', () => {
  const suite = useService({
    environments: ['First'],
    prepare: (workspace) => writeFile(path.join(workspace, 'red.png'), picture(220)),
  });

  const open = (model: string) => suite.panels.openRunPanel(model);
  /** Sets the model's response. */
  const responses = (output: unknown) =>
    suite.service.change('/api/runs', ({ body }) => ({ body: { ...(body as object), output } }));
  const uploads = async () => (await suite.sandbox.ledger()).requests['upload-init'] ?? 0;

  it('shows in the frame after the click on Run that it was heard: the button, a clock and the step', async () => {
    const { service } = suite;
    service.hold(0);
    const panel = await open(SENTIMENT);
    await panel.fill('Text', 'What a lovely day.');
    await panel.frame.evaluate(() => {
      const seen = new Promise<(string | undefined)[]>((done) => {
        const look = () =>
          done(
            ['button.run', '.timer', '.step'].map((place) =>
              document.querySelector<HTMLElement>(place)?.innerText.trim(),
            ),
          );
        // Before the next picture is painted.
        const pressed = () => requestAnimationFrame(look);
        window.addEventListener('click', pressed, { once: true, capture: true });
      });
      Object.assign(window, { seen });
    });
    await panel.button('Run').click();
    const [button, clock, step] = await panel.frame.evaluate(
      () => (window as unknown as { seen: Promise<(string | undefined)[]> }).seen,
    );
    assert.equal(button, 'Stop waiting');
    assert.match(clock ?? '', /^\d/);
    assert.equal(step, 'Checking…');
    // As long as the service says nothing.
    await panel.frame.locator('.step', { hasText: 'Running…' }).waitFor();
    await panel.frame.locator('.timer', { hasText: / s$/ }).waitFor();
    service.release();
    await panel.result
      .getByText(/^Finished in/)
      .last()
      .waitFor();
  });

  it('shows 10 MB of JSON, with only its visible part in the page', async () => {
    const { panels } = suite;
    const panel = await panels.runPanel(SENTIMENT);
    const rows = Array.from({ length: 60_000 }, (_, id) => ({
      id,
      nested: { text: 'x'.repeat(100), n: [1, 2] },
    }));
    responses({ rows, note: 'y'.repeat(1_000_000) });
    await panel.button('Run').click();
    await panel.result.locator('[role=row], [role=treeitem]').nth(1).waitFor();
    const size = () => panel.frame.evaluate(() => document.body.outerHTML.length);
    assert.ok((await size()) < 1_000_000, `${await size()} characters`);
    await panel.fill('Text', 'And it goes on answering.');
    await panel.showResult('Raw');
    await panel.result.getByText(/The first .* characters/).waitFor();
    assert.ok((await size()) < 1_000_000, `${await size()} characters`);
    await panel.result.getByRole('tab', { name: 'Preview' }).click();
    await panel.fill('Text', 'What a lovely day.');
  });

  it('draws boxes over the input image, plays sound, and fetches remote media through the host', async () => {
    const { service } = suite;
    const panel = await open('Color Palette');
    await panel.dropFile('Image', { name: 'in.png', mimeType: 'image/png', bytes: picture(200) });
    service.serve('/made/far.png', { contentType: 'image/png', bytes: picture(20) });
    responses({
      boxes: [{ label: 'cat', score: 0.91, box: { xmin: 5, ymin: 6, xmax: 40, ymax: 30 } }],
      audio: { content_type: 'audio/wav', b64_json: sound().toString('base64') },
      image: { url: `${service.url}/made/far.png` },
    });
    await panel.button('Run').click();
    await panel.result.locator('svg rect.mb-box').waitFor();
    await panel.result.locator('.mb-canvas img').waitFor();
    await isPlayable(panel.result.locator('audio'));
    await panel.result.getByRole('button', { name: /^Load from 127/ }).click();
    await panel.result.locator('.mb-media img').waitFor();
    assert.deepEqual(await accessibilityViolations(panel.frame), []);
  });

  it('draws masks over that picture, and plays video, of the input and of the result', async () => {
    const { panels } = suite;
    const panel = await panels.runPanel('Color Palette');
    const mask = `data:image/png;base64,${picture(255).toString('base64')}`;
    responses({ segments: [{ label: 'cat', score: 0.91, mask }] });
    await panel.button('Run').click();
    await panel.result.getByRole('checkbox', { name: /cat/ }).waitFor();
    await panel.result.locator('.mb-canvas image.mb-mask').waitFor();
    await panels.page('Color Palette · in.png');
    const showcase = await open('Form Showcase');
    const bytes = await readFile(new URL('../../support/clip.webm', import.meta.url));
    await showcase.fill('Title', 'A clip');
    await showcase.dropFile('Clip', { name: 'clip.webm', mimeType: 'video/webm', bytes });
    await isPlayable(showcase.frame.locator('.medium-view video'));
    responses({ video: { content_type: 'video/webm', b64_json: bytes.toString('base64') } });
    await showcase.button('Run').click();
    await isPlayable(showcase.result.locator('video'));
    assert.deepEqual(await accessibilityViolations(showcase.frame), []);
    panels.closePanels('Form Showcase');
  });

  it('copies, opens in an editor and saves', async () => {
    const { panels } = suite;
    const panel = await panels.runPanel('Color Palette');
    responses({ text: 'short and plain' });
    await panel.button('Run').click();
    await panel.result.getByText('short and plain').first().waitFor();
    const tools = panel.result.getByRole('group', { name: 'Actions for This Tab' });
    await tools.getByRole('button', { name: 'Copy' }).click();
    await panels.until(() => panels.kept.clipboard.includes('short and plain'), 'The copy');
    await tools.getByRole('button', { name: 'Save As…' }).click();
    const target = await panels.chooseFile();
    assert.match(target, /color-palette-\w{8}\.json$/);
    await eventually(async () => assert.match(await readFile(target, 'utf8'), /short and plain/));
    await tools.getByRole('button', { name: 'Open in Editor' }).click();
    await panels.editor('short and plain');
  });

  it('becomes the input of another model', async () => {
    const { panels } = suite;
    const panel = await panels.runPanel('Color Palette');
    await panel.button('Use as Input…').click();
    await panels.question(/should use this result/);
    await panels.answer(/./, 'Word Statistics');
    const next = await panels.runPanel('Word Statistics');
    assert.equal(await next.field('Text').inputValue(), 'short and plain');
  });

  it('becomes a file when it is no text: shown, opened, and the input of another model', async () => {
    const { panels, service } = suite;
    const panel = await panels.runPanel('Word Statistics');
    service.serve('/api/runs', { contentType: 'image/png', bytes: picture(9) });
    await panel.button('Run').click();
    await panel.result.locator('img').first().waitFor();
    await panel.showResult('Raw');
    await panel.result.getByText('image/png, not text. Open or save the file.').waitFor();
    assert.deepEqual(await accessibilityViolations(panel.frame), []);
    await panel.button('Open in Editor').click();
    const [opened] = await panels.builtIn('vscode.open');
    assert.match(String(opened), /word-statistics-\w{8}\.png/);
    service.serve('/api/runs');
    const back = await panels.runPanel('Word Statistics');
    await back.button('Use as Input…').click();
    await panels.question(/should use this result/);
    await panels.answer(/./, 'Image Description');
    const next = await panels.runPanel('Image Description');
    await next.frame.getByRole('button', { name: /^word-statistics-\w{8}\.png/ }).waitFor();
    await next.frame.locator('.medium-view img').waitFor();
    panels.closePanels('Image Description');
  });

  it('uploads its file once, and again when the service no longer has it', async () => {
    const { panels, service } = suite;
    service.change('/api/runs');
    const before = await uploads();
    const file = { name: 'again.png', mimeType: 'image/png', bytes: picture(77) };
    for (const model of ['Color Palette', 'Image Description']) {
      const panel = await open(model);
      if (await panel.button('Remove').isVisible()) await panel.button('Remove').click();
      await panel.dropFile('Image', file);
      await panel.run();
    }
    assert.equal((await uploads()) - before, 1);
    const panel = await panels.runPanel('Image Description');
    service.change('/api/runs', () => ({ status: 404, body: { error: { message: 'no such media' } } }));
    await panel.button('Run').click();
    await panel.result.getByText('The next run uploads them again').waitFor();
    service.change('/api/runs');
    await panel.result.getByText('Upload Again and Run').click();
    await panel.result
      .getByText(/^Finished in/)
      .last()
      .waitFor();
    assert.equal((await uploads()) - before, 2);
  });

  it('repeats from the history, even with another model, and gets an outcome from the user when none came', async () => {
    const { panels, service } = suite;
    service.change('/api/runs', () => ({ status: 502, body: { error: 'gateway' } }));
    const lost = await panels.runPanel('Image Description');
    await lost.button('Run').click();
    await lost.result.getByText('Unconfirmed').last().waitFor();
    service.change('/api/runs');
    panels.closePanels();
    panels.command('modelBench.settleRun');
    await panels.answer('Set Run Outcome', 'Image Description');
    await panels.question(/What was the outcome of this run/);
    await panels.answer(/./, 'It was executed');
    panels.command('modelBench.editAndRunAgain');
    await panels.answer('Edit and Run Again', SENTIMENT);
    const again = await panels.runPanel(SENTIMENT);
    assert.equal(await again.field('Text').inputValue(), 'What a lovely day.');
    panels.closePanels();
    panels.command('modelBench.runWithAnotherModel');
    await panels.answer('Run with Another Model', SENTIMENT);
    await panels.question(/Run with Another Model/);
    await panels.answer(/./, 'Language Identification');
    const other = await panels.runPanel('Language Identification');
    assert.equal(await other.field('Text').inputValue(), 'What a lovely day.');
  });

  it('goes to the environment of its panel, which stays until its user moves it', async () => {
    const { panels, sandbox } = suite;
    const panel = await open(SENTIMENT);
    await panel.button('Environment: First').waitFor();
    await panel.fill('Text', 'Typed before the switch.');
    await panels.connect({ name: 'Second', baseUrl: sandbox.baseUrl, apiKey: sandbox.apiKey });
    const there = await panels.runPanel(SENTIMENT);
    await there.frame.getByText('(not active)').waitFor();
    await there.button('Environment: First').click();
    await panels.answer(/its own key/, 'Second');
    await there.button('Environment: Second').waitFor();
    assert.equal(await there.field('Text').inputValue(), 'Typed before the switch.');
  });

  it('asks by its name before it reads a file from outside the open folder', async () => {
    const { panels } = suite;
    const panel = await open('Color Palette');
    if (await panel.button('Remove').isVisible()) await panel.button('Remove').click();
    const outside = path.join(path.dirname(panels.workspace), 'outside.png');
    await writeFile(outside, picture(5));
    const zone = panel.frame.getByRole('button', { name: /^Image Choose/ });
    const uri = Uri.file(outside).toString();
    for (const say of ['Cancel', 'Use the File']) {
      const dataTransfer = await zone.evaluateHandle((_zone, dropped) => {
        const transfer = new DataTransfer();
        transfer.setData('application/vnd.code.uri-list', dropped);
        return transfer;
      }, uri);
      await zone.dispatchEvent('drop', { dataTransfer });
      const question = await panels.dialog();
      assert.ok(question.text.includes(outside));
      assert.equal(await panel.button('outside.png').count(), 0);
      if (say === 'Cancel') question.cancel();
      else question.pick(say);
    }
    await panel.button('outside.png').waitFor();
    await panel.frame.locator('.medium-view img').waitFor();
  });

  it('keeps its form after a reload, even while the service is away', async () => {
    const { panels } = suite;
    await panels.runPanel(SENTIMENT);
    await suite.service.close();
    await suite.sandbox.stop();
    await panels.reload();
    const panel = await panels.runPanel(SENTIMENT);
    assert.equal(await panel.field('Text').inputValue(), 'Typed before the switch.');
    await panel.frame.getByRole('alert').waitFor();
    assert.deepEqual(await accessibilityViolations(panel.frame), []);
  });
});
