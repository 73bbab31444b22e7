#!/usr/bin/env node
import { program } from './program';
import { stopOnSignals } from './stopOnSignals';
import { terminal } from './terminal';

// A closed pipe (`| head`) or terminal ends no run: its outcome, the reports and the exit code are still to come.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
const out = terminal(process.stdout, process.stderr);
process.exitCode = await program(process.argv.slice(2), out, () => stopOnSignals(out));
