import { runSandbox } from '../../../src/sandbox/process';
import { readArguments } from './commandLine';
import { openControl, startWatched } from './watchedSandbox';

// The sandbox's process with the options of tests, which drive it at /__sandbox/.
const options = readArguments(process.argv.slice(2));
runSandbox(options.dataDir, async () => {
  const sandbox = await startWatched(options);
  openControl(sandbox);
  return sandbox;
});
