// Measures the extension host that it runs in, and has a command that hostile texts try to run.
const { rename, writeFile } = require('node:fs/promises');
const { Session } = require('node:inspector');
const path = require('node:path');
const vscode = require('vscode');
const { describeStalls } = require('./stalls');

const LOOK_MS = 5;
const WRITE_MS = 250;
/** What is looked at sample by sample: shorter ones are many, and harmless. */
const STALL_MS = 20;
/** Between two samples of the profiler, in microseconds. */
const SAMPLE_US = 1000;

exports.activate = (context) => {
  let figures = {};
  let stalls = [];
  let last = { cpuMs: cpuMs(), clockUs: clockUs() };
  const session = new Session();
  session.connect();
  const ask = (method, params) =>
    new Promise((resolve, reject) =>
      session.post(method, params, (error, result) => (error ? reject(error) : resolve(result))),
    );
  const file = path.join(context.extensionPath, 'figures.json');
  let writing = Promise.resolve();
  // One after the other, and somebody reads meanwhile: each is whole, or not there.
  const write = () => {
    const text = JSON.stringify(figures);
    writing = writing.then(async () => {
      await writeFile(`${file}.new`, text);
      await rename(`${file}.new`, file);
    });
    return writing;
  };

  const look = setInterval(() => {
    const now = { cpuMs: cpuMs(), clockUs: clockUs() };
    const ms = now.cpuMs - last.cpuMs;
    figures.longestStallMs = Math.max(figures.longestStallMs, ms);
    if (ms >= STALL_MS) stalls.push({ ms, fromUs: last.clockUs, toUs: now.clockUs });
    last = now;
  }, LOOK_MS);
  const note = setInterval(() => {
    if (figures.state !== 'begun') return;
    figures.mostMemoryBytes = Math.max(figures.mostMemoryBytes, process.memoryUsage.rss());
    void write();
  }, WRITE_MS);

  const begin = async () => {
    await ask('Profiler.enable');
    await ask('Profiler.setSamplingInterval', { interval: SAMPLE_US });
    await ask('Profiler.start');
    figures = { acted: 0, longestStallMs: 0, mostMemoryBytes: 0, state: 'begun' };
    stalls = [];
    last = { cpuMs: cpuMs(), clockUs: clockUs() };
  };
  // Reading the profile stalls the host as well: the figures are those before.
  const end = async () => {
    const before = figures;
    const measured = stalls;
    stalls = [];
    figures = {};
    const { profile } = await ask('Profiler.stop');
    figures = { ...before, stalls: describeStalls(profile, measured), state: 'ended' };
    await write();
    figures = {};
  };
  context.subscriptions.push(
    { dispose: () => [look, note].forEach(clearInterval) },
    vscode.commands.registerCommand('hostWatch.begin', begin),
    vscode.commands.registerCommand('hostWatch.end', end),
    vscode.commands.registerCommand('hostWatch.act', () => {
      figures.acted += 1;
    }),
  );
};

/** The processor's time of the host's thread: on a busy machine the clock also counts what others take. */
function cpuMs() {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** The clock of the profiler's samples. */
function clockUs() {
  return Number(process.hrtime.bigint() / 1000n);
}
