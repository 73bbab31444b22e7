import { isObject, type UnknownObject } from '../domain/value';
import { words } from '../domain/words';
import { contentIn, isAbout } from './content';
import { LONGEST_MESSAGE, wordsIn } from './error';
import { isOutcomeCode, isOutcomeMessage } from './outcomeNames';
import { asText, firstOf, members, oneLine, pick, pickText, plainName } from './records';
import { STATE_NAMES, stateOfWord } from './stateWords';

// The one table of failure signs: runs, entries of a batch, searches, experiments and uploads ask it. The spellings are
// those of gateways, frameworks and model servers; each line names who writes it.

/** Why something failed, in the service's words where it has some. */
export interface FailureReason {
  readonly reason?: string;
}

/** Members that hold an error whenever they hold anything. */
const ERRORS = words(`
  error err failure fault exception traceback stacktrace
  errormsg errmsg errmessage errormessage errordescription errorreason errortext faultstring
  failurereason failuremessage failurecause failedreason exceptionmessage blockreason rejectreason rejectionreason
  cancelreason
`);
const TRACES = words('traceback stacktrace exception');
// error: OpenAI, Anthropic, Google, Hugging Face, Triton and KServe v2, Slack, JSON-RPC, OAuth (RFC 6749, 5.2), Spring Boot
// errormsg: Baidu, Huawei Cloud; errmsg: WeChat, MongoDB; errormessage: AWS Lambda, Esri; fault, faultstring: Apigee, SOAP
// exception: Laravel (debug), Confluent; traceback: Flask and Gradio in debug mode; failurereason: SageMaker jobs
// blockreason: Gemini

/** Codes that are 0 where all is well. */
const ERROR_CODES = words(
  'errno errcode errorcode errornumber errorno retcode suberrorcode exitcode exitstatus',
);
// errno: Unix, Baidu Pan; errcode: WeChat, DingTalk, Matrix ("M_FORBIDDEN"); errorcode: Huawei Cloud, Salesforce; retcode: QQ

/** Codes that also name states: "FAIL" of WeChat Pay. */
const WORD_CODES = words('resultcode returncode result outcome conclusion');

/** Statuses of HTTP in a body: Spring Boot, Rails, NestJS, API Gateway, problem+json (RFC 9457), TorchServe, JSON:API. */
const STATUSES = words('status statuscode httpstatus httpstatuscode httpcode responsecode');

/** Telegram, Slack, Cloudflare, and most hand-made envelopes. */
const SUCCESS_FLAGS = words('success ok issuccess issuccessful issucceeded isok isindexed');
/** Numbers under these names are counts. */
const SUCCESS_OR_COUNT = words('succeeded successful indexed stored');
/** iserror: Model Context Protocol, n8n. */
const FAILURE_FLAGS = words('failed failure errored rejected haserror haserrors iserror isfailed');

/** type: "error" of Anthropic and of event streams; object: "error" of vLLM. */
const KINDS = words('type object event kind');

const TYPES = words('__type __typename @type $type');

/** Members that say why a model ended. */
const ENDS = words('finishreason stopreason completionreason reason');
/** Ends of a model that gave nothing, besides the words for failures: Gemini, OpenAI, Stability. */
const REFUSED_END = new Set(
  words('safety imagesafety recitation blocklist prohibitedcontent spii contentfilter contentfiltered'),
);

const MESSAGES = words('message msg errormessage description statusmessage statusmsg statustext');

/** A message that says no more than that all is well. */
const SUCCESS_MESSAGE =
  /^\W{0,9}(?:ok(?:ay)?|success(?:ful(?:ly)?)?|succeeded|done|completed?|finished|indexed|stored|accepted|成功|操作成功|请求成功|no errors?|request (?:was )?successful|(?!.*\b(?:not|no|none|nothing|never|without|0|un\p{L}+|fail\p{L}*)\b)(?:[\p{L}\p{N}]+ ){1,6}(?:successfully|successful|succeeded|completed|finished|indexed|stored|成功))(?: (?:successfully|in|at|\d+)\b.{0,60})?\W{0,9}$/iu;

const NO_ERRORS = /\b(?:no|0|zero|without) (?:errors?|failures?)\b/i;
/**
 * A short message beside no result that reports a failure: API Gateway ("Forbidden", "Endpoint request timed out"), Kong
 * ("no Route matched with those values"), Laravel ("Unauthenticated."), Envoy ("no healthy upstream"), Cohere ("invalid
 * api token"), ASP.NET ("Authorization has been denied for this request.").
 */
const FAILURE_MESSAGE =
  /\b(?:errors?|fail(?:ed|ure|s)?|exceptions?|forbidden|un(?:authori[sz]ed|authenticated|available|supported|expected|processable|able|healthy)|not (?:authenticated|authori[sz]ed|found|allowed|permitted|supported|available|implemented|acceptable|enough|exist)|no (?:route|such|healthy|permission|access|credits?|gpu)|denied|invalid|time(?:d)?[ -]?out|exceed(?:ed|s)?|insufficient|quota|expired|missing|bad (?:request|gateway|credentials)|rejected|too (?:large|many|long|busy)|out of memory|overloaded|suspended|blocked|banned|cannot|could not|doesn't exist|payment required|rate limit(?:ed)?|reset before headers|conflict)\b/i;
const LONGEST_FAILURE_MESSAGE = 200;

/** The message of a record: "message", and the like of respDesc. */
function messageIn(record: UnknownObject): string | undefined {
  return (
    pickText(record, ...MESSAGES) ??
    firstOf(members(record), ([name, value]) =>
      isOutcomeMessage(plainName(name)) ? asText(value) : undefined,
    )
  );
}

/** Words of a message that say that a run was taken on, not that it has finished; "created" may be about an index. */
const THING_TAKEN_ON = /\b(?:job|task|run|request|prediction|operation)s?\b/i;
const LONGEST_TAKEN_ON = 200;

/** Whether a record without a result says that its run was taken on: "Task submitted successfully", 202. */
export function saysAccepted(record: UnknownObject): boolean {
  if (
    [...STATUSES, 'code'].some((name) => isNumeric(pick(record, name)) && Number(pick(record, name)) === 202)
  )
    return true;
  const message = messageIn(record) ?? '';
  if (message.length > LONGEST_TAKEN_ON) return false;
  const states = (message.match(/\p{L}+/gu) ?? []).map((word) =>
    /^created$/i.test(word) && !THING_TAKEN_ON.test(message) ? undefined : stateOfWord(word),
  );
  return states.includes('accepted') && !states.includes('finished') && !states.includes('failed');
}

/** The failure that a record reports; undefined where it reports none. */
export function failureIn(record: UnknownObject): FailureReason | undefined {
  if (flagIn(record) === 'failed') return { reason: reasonOf(record) };
  return errorIn(record) ?? failedWordIn(record);
}

/** A failing state, under the names that only states have. */
function failedWordIn(record: UnknownObject): FailureReason | undefined {
  const word = firstOf(STATE_NAMES, (name) => {
    const value = pick(record, name);
    return typeof value === 'string' ? value : undefined;
  });
  return word !== undefined && stateOfWord(word) === 'failed' ? { reason: reasonOf(record) } : undefined;
}

/**
 * An error, a code or a status of one, or the shape of an error response.
 * @param ofItem a list of errors beside a result is about parts of a run, and about the whole of an item
 */
export function errorIn(record: UnknownObject, ofItem?: 'ofItem'): FailureReason | undefined {
  const hasContent = contentIn(record, 'strictly');
  const error = firstOf([...ERRORS, ...(hasContent && !ofItem ? [] : ['errors', 'usererrors'])], (name) => {
    const value = pick(record, name);
    // A number with decimals is a measure: {mse: 0.1, error: 0.02}.
    return isError(value) && !(typeof value === 'number' && !Number.isInteger(value)) ? value : undefined;
  });
  if (error !== undefined) {
    const words = line(wordsIn(error, true));
    // A trace is no sentence where the record has one.
    const isTrace = TRACES.some((name) => pick(record, name) === error);
    return {
      reason: (isTrace ? reasonOf(record) : undefined) ?? words ?? reasonOf(record) ?? line(asText(error)),
    };
  }
  if (isFailingCode(record, hasContent) || isErrorShape(record, hasContent))
    return { reason: reasonOf(record) };
  return undefined;
}

/** The meaning of a record's flags; undefined where it has none. */
export function flagIn(record: UnknownObject): 'finished' | 'failed' | 'both' | undefined {
  const flags = (names: readonly string[]) => names.map((name) => booleanOf(pick(record, name)));
  const flagsOrCounts = (names: readonly string[]) =>
    names
      .map((name) => pick(record, name))
      .map((value) => (typeof value === 'number' ? undefined : booleanOf(value)));
  const success = [...flags(SUCCESS_FLAGS), ...flagsOrCounts(SUCCESS_OR_COUNT)];
  const failure = flagsOrCounts(FAILURE_FLAGS);
  const isFailed = success.includes(false) || failure.includes(true);
  const isDone = success.includes(true);
  return isDone && isFailed ? 'both' : isFailed ? 'failed' : isDone ? 'finished' : undefined;
}

/** Whether a record says that it succeeded, in a flag, a code or a message, without a state or a result. */
export function saysSuccess(record: UnknownObject): boolean {
  const message = messageIn(record);
  if (flagIn(record) === 'finished') return !contradictsItself(record);
  if (message !== undefined) return SUCCESS_MESSAGE.test(message);
  const codes = [...ERROR_CODES.map((name) => pick(record, name)), ...outcomeCodes(record)];
  const statuses = STATUSES.map((name) => pick(record, name)).filter((status) => !isZero(status));
  return [...codes, ...statuses].some(isSuccessCode);
}

/** {ok: true, message: "2 of 3 images indexed, 1 failed"} */
export function contradictsItself(record: UnknownObject): boolean {
  const message = messageIn(record);
  return flagIn(record) === 'finished' && message !== undefined && isFailureMessage(message);
}

/** Whether a body says nothing about its outcome: it is empty, or has an id and times alone. */
export function saysNothing(record: UnknownObject): boolean {
  return (
    !contentIn(record) &&
    members(record).every(
      ([key, value]) => isAbout(key) && (!ERROR_NAMES.has(plainName(key)) || !isError(value)),
    )
  );
}

const ERROR_NAMES = new Set(
  words('status state phase outcome success ok message msg error errors err detail details code'),
);

function isZero(value: unknown): boolean {
  return isNumeric(value) && Number(value) === 0;
}

/** A text that is a whole response and reports a failure: "Internal Server Error", "no healthy upstream". */
export function isFailureText(text: string): boolean {
  const trimmed = text.trim();
  return (
    /^\W*(?:errors?|fail(?:ed|ure)?)\W*$/i.test(trimmed) ||
    (trimmed.length <= LONGEST_FAILURE_MESSAGE &&
      /^(?:[45]\d\d\b|(?:internal server error|bad (?:gateway|request)|service unavailable|gateway time-?out|forbidden|unauthorized|not found|too many requests|upstream (?:connect|request)\b|(?:api |request )?(?:rate[ -]?limit|quota) (?:was |has been |is )?exceeded|no healthy upstream|exception\b|traceback\b|failed to|cannot (?:get|post|put|patch|delete) \/|(?:[\w.-]+ ){0,3}\w*error(?: code)?[:,]))/i.test(
        trimmed,
      )) ||
    // A program names itself: "modal-http: function timed out"
    (trimmed.length <= LONGEST_FAILURE_MESSAGE &&
      /^[a-z]+(?:-[a-z]+)+: /.test(trimmed) &&
      FAILURE_MESSAGE.test(trimmed))
  );
}

function isFailingCode(record: UnknownObject, hasContent: boolean): boolean {
  const message = messageIn(record) ?? pickText(record, ...ERRORS);
  // Codes of success are any number: 0, 200, Clarifai's and Alipay's 10000, 20000.
  if (message !== undefined && SUCCESS_MESSAGE.test(message)) return false;
  if (ERROR_CODES.some((name) => isFailureCode(pick(record, name)))) return true;
  if (STATUSES.some((name) => isErrorStatus(pick(record, name)))) return true;
  // OriginalStatusCode of SageMaker, HTTPStatusCode of AWS.
  if (members(record).some(([key, value]) => /statuscode$/i.test(key) && isErrorStatus(value))) return true;
  const hasScore = pick(record, 'score', 'confidence', 'probability') !== undefined;
  if (!hasScore && WORD_CODES.some((name) => isFailedWord(pick(record, name)))) return true;
  if (pick(record, 'result') === false && message !== undefined) return true;
  // {status: {code: 13}} of gRPC.
  const status = pick(record, 'status');
  const isFailed = (inner: UnknownObject) =>
    isFailingCode(inner, false) ||
    flagIn(inner) === 'failed' ||
    KINDS.some((name) => isFailedWord(pick(inner, name)));
  if (isObject(status) && isFailed(status)) return true;
  // A number may be part of a result; a text may be the program that a model wrote.
  return outcomeCodes(record).some((code) => {
    const isFailure = isErrorStatus(code) || isFailureCode(code);
    return (
      isFailure &&
      (isNumeric(code) ? !hasContent || message !== undefined : !hasContent && message !== undefined)
    );
  });
}

/** Values of members that have the code of an outcome: code, retCode, respCode. */
function outcomeCodes(record: UnknownObject): unknown[] {
  return members(record).flatMap(([name, value]) => (isOutcomeCode(plainName(name)) ? [value] : []));
}

/** Error bodies of frameworks without a member that marks an error. */
function isErrorShape(record: UnknownObject, hasContent: boolean): boolean {
  if (hasContent) return false;
  if (KINDS.some((name) => isFailedWord(pick(record, name)))) return true;
  // The JSON protocols of AWS; errors as a type of a union in GraphQL, C# and JSON-LD.
  const isErrorType = (name: unknown) =>
    typeof name === 'string' && /(?:Exception|Error|Fault|Failure)$/.test(name);
  if (TYPES.some((name) => isErrorType(record[name]))) return true;
  // FastAPI, Django REST Framework, Replicate: {detail}; problem+json: {type, title}
  const detail = pick(record, 'detail');
  if (Array.isArray(detail) ? detail.length > 0 : asText(detail) !== undefined && !isSuccessText(detail))
    return true;
  const type = pickText(record, 'type', 'instance') ?? '';
  if (pickText(record, 'title') !== undefined && /^(?:about:blank|https?:|urn:|tag:|\/)/i.test(type))
    return true;
  if (ENDS.some((name) => isFailedEnd(pick(record, name)))) return true;
  const message = messageIn(record);
  return message !== undefined && flagIn(record) !== 'finished' && isFailureMessage(message);
}

function isFailureMessage(message: string): boolean {
  return (
    message.length <= LONGEST_FAILURE_MESSAGE &&
    !SUCCESS_MESSAGE.test(message) &&
    !NO_ERRORS.test(message) &&
    FAILURE_MESSAGE.test(message)
  );
}

/** Why a model ended without a result: "SAFETY" of Gemini, "ERROR" of Cohere, "canceled" of Replicate. */
function isFailedEnd(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  return stateOfWord(value) === 'failed' || REFUSED_END.has(plainName(value));
}

/** Whether a value under the name of an error is one: not 0, "", "none", "success", an empty list or record. */
export function isError(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === 0) return false;
  if (typeof value === 'string')
    return !/^(?:0|null|nil|no|false|n\/a|-)?$/i.test(value.trim()) && !isNone(value);
  if (Array.isArray(value)) return value.some(isError);
  if (!isObject(value)) return true;
  const code = pick(value, 'code', 'status', 'count', 'total');
  const others = Object.entries(value).filter(([name]) => !/^(?:code|status|count|total)$/i.test(name));
  return others.some(([, inner]) => isError(inner)) || (isError(code) && !isSuccessCode(code));
}

function isNone(text: string): boolean {
  return /^\W*(?:none|ok|okay|success|succeeded|no errors?|成功)\W*$/i.test(text);
}

function isSuccessText(value: unknown): boolean {
  return typeof value === 'string' && SUCCESS_MESSAGE.test(value);
}

function isNumeric(value: unknown): boolean {
  return typeof value === 'number' || (typeof value === 'string' && /^\s*-?\d+\s*$/.test(value));
}

/** 0, any 2xx, and the words for success. */
function isSuccessCode(value: unknown): boolean {
  if (isNumeric(value))
    return Number(value) === 0 || (Number(value) >= 200 && Number(value) < 300 && Number(value) !== 202);
  return typeof value === 'string' && (stateOfWord(value) === 'finished' || SUCCESS_MESSAGE.test(value));
}

/** A code other than success; of texts, those that are written like an identifier: "InvalidApiKey", "DRS.M00201". */
function isFailureCode(value: unknown): boolean {
  if (isNumeric(value)) return !isSuccessCode(value) && Number(value) !== 202;
  if (typeof value !== 'string' || isSuccessCode(value)) return false;
  return /^[A-Za-z][\w.:/-]{2,79}$/.test(value) && stateOfWord(value) !== 'accepted';
}

/** 400 to 599, also as text: "500", "502 Bad Gateway". */
function isErrorStatus(value: unknown): boolean {
  if (typeof value === 'number') return Number.isInteger(value) && value >= 400 && value < 600;
  return typeof value === 'string' && /^\s*[45]\d\d(?:\s+\p{L}.*)?$/u.test(value);
}

/** The narrow words: a classifier may well give "rejected" or "denied" as its result. */
function isFailedWord(value: unknown): boolean {
  return typeof value === 'string' && /^\s*(?:error|errored|fail|failed|failure|exception)\s*$/i.test(value);
}

/** Booleans, and how others write them; numbers are 0 and 1. */
function booleanOf(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (value === 0 || value === 1) return value === 1;
  if (typeof value !== 'string') return undefined;
  if (/^\s*(?:true|yes|y|1|ok|success)\s*$/i.test(value)) return true;
  return /^\s*(?:false|no|n|0|fail|failed|error)\s*$/i.test(value) ? false : undefined;
}

function reasonOf(record: UnknownObject): string | undefined {
  return line(wordsIn(record) ?? asText(pick(record, 'status', 'state', 'code', 'cause', 'why')));
}

function line(text: string | undefined): string | undefined {
  return oneLine(text, LONGEST_MESSAGE);
}
