import { Accounts } from './billing/accounts';
import { send } from './http/jsonResponse';
import { MediaStore } from './media/mediaStore';
import { Uploads } from './media/uploads';
import { JobStore } from './runs/jobStore';
import type { SandboxOptions } from './sandboxOptions';
import { openDatabase } from './store/openDatabase';
import { VectorStore } from './vectors/vectorStore';

/** The parts of one sandbox, as its routes use them. */
export type Service = ReturnType<typeof openService>;

/** Opens the data of a folder. @throws {DataProblem} data that cannot be used */
export function openService(options: SandboxOptions, apiKey: string) {
  const { dataDir, now = Date.now } = options;
  const respond: NonNullable<SandboxOptions['respond']> = async (_call, response, execute) =>
    send(response, await execute());
  const { database, setAside } = openDatabase(dataDir);
  const media = new MediaStore(dataDir, database);
  return {
    database,
    /** Where a damaged database was moved at the start. */
    setAside,
    apiKey,
    // Set when the ports are known.
    baseUrl: '',
    uploadOrigin: '',
    respond: options.respond ?? respond,
    accounts: new Accounts(database, now),
    jobs: new JobStore(database),
    media,
    uploads: new Uploads(media, now),
    vectors: new VectorStore(database, now),
    now,
    stopping: new AbortController(),
  };
}
