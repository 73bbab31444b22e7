#!/usr/bin/env node
import * as l10n from '@vscode/l10n';
import type { Terminal } from '../commands/terminal';
import { program } from './program';
import { terminal } from './terminal';

/** The first Ctrl+C stops waiting and names the runs that may still be charged; the second ends the process. */
function stopOnInterrupt(out: Terminal): AbortSignal {
  const stop = new AbortController();
  process.once('SIGINT', () => {
    out.warn(l10n.t('Stopping. A run that was sent may still be executed and charged.'));
    stop.abort();
  });
  return stop.signal;
}

const out = terminal(process.stdout, process.stderr);
process.exitCode = await program(process.argv.slice(2), out, () => stopOnInterrupt(out));
