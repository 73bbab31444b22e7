import * as z from 'zod/mini';
import type { JobHead, JobKind } from '../../src/store/jobKind';

// The smallest kind of job: a run for each question, without uploads and batches.

export interface QuestionsHead extends JobHead {
  readonly name: string;
}

export interface Question {
  readonly text: string;
  /** Not kept. */
  readonly body?: string;
}

const head = z.object({ id: z.string(), at: z.number(), name: z.string() });
const question = z.object({ text: z.string() });

export const questions: JobKind<QuestionsHead, Question> = {
  name: 'questions',
  head: (value) => head.safeParse(value).data,
  item: (value) => question.safeParse(value).data,
  target: ({ name }) => name,
  key: ({ text }) => text,
};
