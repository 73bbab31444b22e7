import * as z from 'zod/mini';
import { agentMark } from '../domain/agentGrant';
import type { Json } from '../domain/json';
import { attachment, runDraft, runRequest, runState } from '../domain/run';
import type { RunRecord } from '../domain/runRecord';
import type { Row } from './database';
import { costInRow, json, number, oneOf, optional, text } from './rows';
import { plain } from './sortKey';

/** For `readRun`, over `run r LEFT JOIN result s`. */
export const RUN_COLUMNS = `r.*, s.content_type, s.size_bytes, s.truncated, m.name AS given_name, m.pinned`;
export const RUN_TABLES = 'run r LEFT JOIN result s ON s.run = r.n LEFT JOIN run_mark m ON m.run = r.n';

const readState = oneOf(runState.options);
const draftOf = json(runDraft);
const requestOf = json(runRequest);
const attachmentsOf = json(z.array(attachment));
const agentOf = json(agentMark);

export function readRun(row: Row): RunRecord {
  return {
    id: text(row, 'id'),
    environment: text(row, 'environment'),
    baseUrl: text(row, 'base_url'),
    modelName: text(row, 'model_name'),
    draft: draftOf(row, 'draft'),
    ...optional(row, 'request', requestOf),
    attachments: attachmentsOf(row, 'attachments'),
    startedAt: number(row, 'started_at'),
    ...optional(row, 'sent_at', number, 'sentAt'),
    ...optional(row, 'finished_at', number, 'finishedAt'),
    state: readState(row, 'state'),
    ...(row.settled_by_user !== null && { settledByUser: row.settled_by_user === 1 }),
    ...optional(row, 'run_id', text, 'runId'),
    ...optional(row, 'follow_url', text, 'followUrl'),
    ...optional(row, 'status', number),
    ...optional(row, 'message', text),
    ...optional(row, 'cost', costInRow),
    ...optional(row, 'agent', agentOf),
    ...optional(row, 'given_name', text, 'name'),
    ...(row.pinned === 1 && { pinned: true }),
    ...(row.content_type !== null && {
      result: {
        contentType: text(row, 'content_type'),
        sizeBytes: number(row, 'size_bytes'),
        truncated: row.truncated === 1,
      },
    }),
  };
}

/** More of an input's text than this is not searched. */
const MOST_TEXT = 4_000;

/** The text by which a run is found. */
export function searchedText({
  environment,
  modelName,
  draft,
  message,
  runId,
  attachments,
  name,
  agent,
}: RunRecord): string {
  const words = [name, environment, modelName, draft.model, draft.mode, draft.scope, message, runId];
  if (agent) words.push(agent.agent, agent.tool);
  const files = attachments.map(({ filename }) => filename);
  const text = [...words, ...files, ...strings(draft.input)].filter(Boolean).join(' ').slice(0, MOST_TEXT);
  return ['', ...wordsOf(text)].join(' ');
}

/** Without case and accents. */
export function wordsOf(text: string): string[] {
  return (
    plain(text.replaceAll(/\s/g, ' '))
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

function strings(value: Json): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(strings);
}
