import { smallImage } from './smallImage';

/** Work on data of other people, by name. Each throws, or returns undefined, for data that it does not understand. */
export const tasks = { smallImage };

export type TaskName = keyof typeof tasks;
export type TaskInput<T extends TaskName> = Parameters<(typeof tasks)[T]>[0];
export type TaskOutput<T extends TaskName> = NonNullable<ReturnType<(typeof tasks)[T]>>;
