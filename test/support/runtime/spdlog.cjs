// In place of @vscode/spdlog's native part, which npm has only as source: with it, VS Code's logs and its Output view
// hold what extensions write, and tests can look into them.
const fs = require('node:fs');
const path = require('node:path');

const names = ['trace', 'debug', 'info', 'warning', 'error', 'critical'];

class Logger {
  #level = 2;
  #plain = false;

  constructor(_kind, _name, file) {
    this.file = file;
  }

  getLevel() {
    return this.#level;
  }

  setLevel(level) {
    this.#level = level;
  }

  setPattern() {
    this.#plain = false;
  }

  clearFormatters() {
    this.#plain = true;
  }

  flush() {}

  drop() {}

  write(level, text) {
    if (level < this.#level) return;
    const time = new Date().toISOString().replace('T', ' ').replace('Z', '');
    try {
      fs.appendFileSync(this.file, this.#plain ? text : `${time} [${names[level]}] ${text}\n`);
    } catch {
      // The folder goes away at the end of a test, before the process does.
    }
  }
}

for (const [level, name] of ['trace', 'debug', 'info', 'warn', 'error', 'critical'].entries())
  Logger.prototype[name] = function (text) {
    this.write(level, text);
  };

async function createLogger(kind, name, file) {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  return new Logger(kind, name, file);
}

exports.version = 0;
exports.setLevel = () => {};
exports.setFlushOn = () => {};
exports.Logger = Logger;
exports.createRotatingLogger = (name, file) => createLogger('rotating', name, file);
exports.createAsyncRotatingLogger = (name, file) => createLogger('rotating_async', name, file);
