/** The result of some work, and the number of turns of other work meanwhile. */
interface Shared<T> {
  readonly result: T;
  readonly turns: number;
}

/** Counts the turns that everything else in the process gets while some work goes on. */
export async function turnsOfOthers<T>(work: () => Promise<T>): Promise<Shared<T>> {
  let turns = 0;
  let isDone = false;
  const look = () => {
    turns += 1;
    if (!isDone) setImmediate(look);
  };
  setImmediate(look);
  const result = await work();
  isDone = true;
  return { result, turns };
}
