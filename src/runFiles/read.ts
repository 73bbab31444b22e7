import * as l10n from '@vscode/l10n';
import schema from '../../schemas/run-file.schema.json';
import type { Json, JsonObject } from '../domain/json';
import type { ModelContract } from '../domain/model';
import { childPointer, segmentsOf } from '../domain/pointer';
import type { Problem } from '../domain/problems';
import { fieldFault, isVectorMode, requestFaults } from '../domain/requestFaults';
import type { RunDraft } from '../domain/run';
import { isObject } from '../domain/value';
import { checkDraft } from '../forms/checkDraft';
import { undeclaredMembers } from '../forms/undeclared';
import { validateValue } from '../forms/validate';
import { faultText } from '../wording/requestFaults';
import { expectationProblems } from './expectationProblems';
import { type ExpectedCheck, RUN_FILE_FIELDS, RUN_FILE_VERSION } from './format';
import { mediaPaths, pathsAsUris } from './mediaPaths';
import { type ParsedText, parseText, type TextSpan } from './text';

/**
 * The source of a problem:
 * - `syntax`: the text is not JSON
 * - `format`: the published JSON schema of run files finds it too, so that an editor that knows it shows it already
 * - `request`: the rules of a run request, `model`: those of the model's contract
 * - `media`: a local file that cannot be used
 * - `expect`: an expectation that cannot be checked
 * - `changed`: the model has changed since the file last ran
 */
type ProblemSource = 'syntax' | 'format' | 'request' | 'model' | 'media' | 'expect' | 'changed';

/** A problem of a run file; `pointer` is a place in the file. */
export interface RunFileProblem extends Problem {
  readonly source: ProblemSource;
  /** A warning does not keep the file from being run. */
  readonly severity: 'error' | 'warning';
  /** A syntax error has a place in the text only. */
  readonly place?: TextSpan;
  /** The problem is the name of the member, not its value. */
  readonly onName?: boolean;
}

/** A text as a run file. */
export interface ReadRunFile extends ParsedText {
  /** Undefined when the text is no object; a member of it is a draft's only if its type is right. */
  readonly members: JsonObject | undefined;
}

export function readRunFile(text: string): ReadRunFile {
  const parsed = parseText(text);
  return { ...parsed, members: isObject(parsed.value) ? parsed.value : undefined };
}

/** The model that a file names; undefined when it names none. */
export function modelIn({ members }: ReadRunFile): string | undefined {
  const { model } = members ?? {};
  return typeof model === 'string' && model.trim() !== '' ? model : undefined;
}

/** The name of the mode that a file is run in; empty when it is no string. */
export function modeNameIn(file: ReadRunFile): string {
  const mode: unknown = draftIn(file).mode;
  return typeof mode === 'string' ? mode : '';
}

/** The environment that a file names. */
export function environmentIn({ members }: ReadRunFile): string | undefined {
  return typeof members?.environment === 'string' ? members.environment : undefined;
}

/** The expectations of a file without problems; empty for another one. */
export function expectationsIn({ members }: ReadRunFile): readonly ExpectedCheck[] {
  return Array.isArray(members?.expect) ? (members.expect as ExpectedCheck[]) : [];
}

/**
 * The request of a file as a draft: missing members get the interface's defaults (section 2.1). Its types are those
 * of the file, so it is checked before it is sent. Media objects keep their relative paths.
 */
export function draftIn({ members = {} }: ReadRunFile): RunDraft {
  const { model, mode = 'execute', scope, input, params = {}, options } = members;
  const given = { model, mode, scope, input, params, options };
  const known = Object.entries(given).filter(([, value]) => value !== undefined);
  return Object.fromEntries(known) as unknown as RunDraft;
}

/**
 * All problems of a file, without reading others: in the order of the file, one problem for each place and message.
 *
 * @param contract of the file's model; undefined: not known, and only rules for every model are checked
 */
export function problemsIn(file: ReadRunFile, contract: ModelContract | undefined): RunFileProblem[] {
  if (file.errors.length > 0) {
    return file.errors.map(({ place, message }) => ({ ...problem('syntax', '', message), place }));
  }
  if (!file.members)
    return [problem('format', '', l10n.t('A run file is an object: { "model": …, "input": … }.'))];
  const formatIssues = validateValue(schema, file.members).issues;
  const format = new Map(formatIssues.map((issue) => [issue.pointer, issue.message]));
  // Values that are only compared with a response are not sent.
  const inexact = file.inexact.filter(({ pointer }) => !pointer.startsWith('/expect/'));
  const inexactAt = new Set(inexact.map(({ pointer }) => pointer));
  const problems = [
    ...fieldProblems(file.members),
    ...inexact.map(({ pointer, message }) => problem('request', pointer, message)),
    ...requestProblems(file, contract)
      .filter(({ pointer }) => !inexactAt.has(pointer))
      .map((one) => (format.has(one.pointer) ? { ...one, source: 'format' as const } : one)),
    ...mediaProblems(file),
    ...expectationProblems(file.members.expect).map((one) => ({
      ...problem('expect', one.pointer, one.message),
    })),
  ];
  const places = new Set(problems.map(({ pointer }) => pointer));
  const others = formatIssues
    .filter(({ pointer }) => !places.has(pointer) && !isNewerVersion(file.members?.version, pointer))
    .map(({ pointer, message }) => problem('format', pointer, message));
  return [...newerVersion(file.members.version), ...problems, ...others];
}

function problem(source: ProblemSource, pointer: string, message: string): RunFileProblem {
  return { source, pointer, message, severity: 'error' };
}

/** VS Code shows no more problems of a file. */
const MOST_UNKNOWN = 1_000;

/** Members at the top of the file that are forbidden or not known. */
function fieldProblems(members: JsonObject): RunFileProblem[] {
  let unknown = 0;
  return Object.keys(members).flatMap((field): RunFileProblem[] => {
    const fault = fieldFault(field, RUN_FILE_FIELDS);
    if (!fault || (fault.fault === 'unknownField' && ++unknown > MOST_UNKNOWN)) return [];
    const severity = fault.fault === 'unknownField' ? 'warning' : 'error';
    const message =
      fault.fault === 'unknownField'
        ? l10n.t('“{0}” is not a member of run files, and is not sent.', field)
        : faultText(fault);
    return [{ ...problem('request', childPointer('', field), message), severity, onName: true }];
  });
}

function requestProblems(file: ReadRunFile, contract: ModelContract | undefined): RunFileProblem[] {
  const draft = draftIn(file);
  if (!contract) {
    const scopeUse = isVectorMode(modeNameIn(file)) ? 'required' : 'optional';
    return requestFaults(draft, scopeUse).map(({ pointer, fault }) =>
      problem('request', pointer, faultText(fault)),
    );
  }
  // Before its upload, a local file has its URI as its reference in a draft.
  const sent = pathsAsUris(draft);
  const undeclared = undeclaredMembers(contract, sent).map(
    ({ pointer, message }): RunFileProblem => ({
      ...problem('model', pointer, message),
      severity: 'warning',
      onName: true,
    }),
  );
  return [
    ...checkDraft(contract, sent).map(({ pointer, message }) => problem('model', pointer, message)),
    ...undeclared,
  ];
}

function mediaProblems(file: ReadRunFile): RunFileProblem[] {
  return mediaPaths(draftIn(file)).flatMap(({ pointer, fault }) =>
    fault === undefined ? [] : [problem('media', `${pointer}/media_ref`, fault)],
  );
}

function isNewerVersion(version: Json | undefined, pointer = '/version'): boolean {
  return pointer === '/version' && typeof version === 'number' && version > RUN_FILE_VERSION;
}

function newerVersion(version: Json | undefined): RunFileProblem[] {
  if (!isNewerVersion(version)) return [];
  const message = l10n.t('This file is of version {0}. Update Model Bench to run it.', String(version));
  return [problem('request', '/version', message)];
}

/** Whether a pointer is inside the request's input or parameters. */
export function isInPayload(pointer: string): boolean {
  const [top] = segmentsOf(pointer);
  return top === 'input' || top === 'params';
}
