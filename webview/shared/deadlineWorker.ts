/** Work on texts of other people in a thread of the page, one text after another, each until a deadline. */
export class DeadlineWorker {
  #thread: Promise<Worker> | undefined;
  #last: Promise<unknown> = Promise.resolve();

  /**
   * @param start starts a thread, which sends an empty message when it is ready
   * @param deadline milliseconds for one text: how long it takes follows from the text in ways that no size foresees
   */
  constructor(
    private readonly start: () => Worker,
    private readonly deadline: number,
  ) {}

  /** The thread's response to a text; undefined: it failed or took too long. */
  ask(text: string): Promise<string | undefined> {
    const answer = this.#last.then(() => this.#ask(text));
    this.#last = answer;
    return answer;
  }

  async #ask(text: string): Promise<string | undefined> {
    this.#thread ??= ready(this.start);
    const thread = await this.#thread;
    const timer = setTimeout(() => thread.dispatchEvent(new Event('error')), this.deadline);
    const response = await nextMessage(thread, () => thread.postMessage(text));
    clearTimeout(timer);
    if (response === undefined) {
      thread.terminate();
      this.#thread = undefined;
    }
    return response;
  }
}

async function ready(start: () => Worker): Promise<Worker> {
  const thread = start();
  await nextMessage(thread, () => undefined);
  return thread;
}

/** Undefined: an error came instead. */
function nextMessage(thread: Worker, begin: () => void): Promise<string | undefined> {
  return new Promise((resolve) => {
    thread.onmessage = ({ data }) => resolve(data as string);
    thread.onerror = () => resolve(undefined);
    begin();
  });
}
