/** A thread of Node.js or of a page. Its first message says that it is ready, each later one is the output of an input. */
export interface Thread<In, Out> {
  post(input: In): void;
  /** Replaces earlier listeners. */
  listen(received: (output: Out) => void, failed: () => void): void;
  end(): void;
}

/**
 * Work on data of other people in a thread of its own, one input after another, each until a deadline: how long it takes
 * follows from the data in ways that no limit of size foresees.
 */
export class DeadlineThread<In, Out> {
  #thread: Promise<Thread<In, Out>> | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(private readonly start: () => Thread<In, Out>) {}

  /**
   * @param deadline milliseconds from when the thread is ready
   * @returns the output of an input; undefined: the thread failed, or took too long
   */
  ask(input: In, deadline: number): Promise<Out | undefined> {
    const answer = this.#last.then(() => this.#ask(input, deadline));
    this.#last = answer;
    return answer;
  }

  async end(): Promise<void> {
    (await this.#thread)?.end();
    this.#thread = undefined;
  }

  async #ask(input: In, deadline: number): Promise<Out | undefined> {
    this.#thread ??= ready(this.start());
    const thread = await this.#thread;
    const output = await new Promise<Out | undefined>((resolve) => {
      const timer = setTimeout(() => resolve(undefined), deadline);
      const end = (output?: Out) => {
        clearTimeout(timer);
        resolve(output);
      };
      thread.listen(end, end);
      thread.post(input);
    });
    if (output === undefined) await this.end();
    return output;
  }
}

function ready<In, Out>(thread: Thread<In, Out>): Promise<Thread<In, Out>> {
  return new Promise((resolve) => {
    const begin = () => resolve(thread);
    thread.listen(begin, begin);
  });
}
