import { prepareSamples } from '../demo/samples';
import { steps } from '../demo/steps';
import { useVSCode } from '../support/journey';

/** What the demo performs, so that it cannot rot: its steps follow one another in one window. */
describe('The main job, from a fresh install', () => {
  const journey = useVSCode({ prepare: prepareSamples });

  for (const [at, { title, run }] of steps.entries())
    it(`${at + 1}. ${title}`, async () => {
      await run(journey.vscode);
    });
});
