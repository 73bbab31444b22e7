import { readArguments, USAGE } from './commandLine';
import { startSandbox } from './server';

/**
 * The sandbox as a process. Prints one line of JSON when it is ready: `{baseUrl, apiKey, uploadOrigin, pid}`.
 * It ends when its standard input closes (its parent is gone) and on SIGTERM or SIGINT.
 */
async function main(): Promise<void> {
  const options = readArguments(process.argv.slice(2));
  const sandbox = await startSandbox(options);
  const { baseUrl, apiKey, uploadOrigin } = sandbox;
  process.stdout.write(`${JSON.stringify({ baseUrl, apiKey, uploadOrigin, pid: process.pid })}\n`);

  const end = () => {
    void sandbox.stop().finally(() => process.exit(0));
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
  process.stdin.on('end', end).on('error', end).resume();
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${USAGE}\n`);
  process.exit(1);
});
