import { isObject, type UnknownObject } from '../domain/value';
import { words } from '../domain/words';
import { isOutcomeCode, isOutcomeMessage } from './outcomeNames';
import { asText, members, pick, plainName } from './records';

// Whether a body holds a result, or only facts about one.

/** Members that wrap a body, or hold a result in the model's own shape. */
const WRAPPERS = new Set(
  words(
    'data attributes properties result results response body payload run job task execution value content',
  ),
);
/** Members about a run, its request, its errors and its money. */
const ABOUT = new Set(
  words(`
    id imageid itemid documentid docid externalid mediaref index position
    uuid sid queue exitcode exitstatus conclusion
    status state phase stage step progress outcome success ok succeeded successful issuccess issuccessful issucceeded isok
    failed failure failures errored rejected haserror haserrors iserror isfailed
    statuscode httpstatus httpstatuscode httpcode responsecode code errno errcode errorcode errornumber errorno retcode
    suberrorcode statusmessage statustext
    message msg error errors err fault exception traceback stacktrace trace
    errormsg errmsg errmessage errormessage errordescription errorreason errortext errortype errordetails faultstring
    typename @type $type isbase64encoded multivalueheaders
    failurereason failuremessage failurecause failedreason exceptionmessage exceptiontype
    detail details warning warnings hint help documentationurl instance method object event eventtype kind jsonrpc relationships
    api apiversion requestpath meta metadata
    created createdat updatedat startedat completedat finishedat queuedat endedat timestamp
    took tookms elapsed elapsedms duration durationms latency latencyms executiontime executiontimems predicttime
    delaytime hostname region server node
    cost costs totalcost charge charged chargedamount amountcharged price billing usage receipt credits balance currency
    model modelid modelname modelversion mode scope input inputs request params parameters options
    statusurl pollurl pollingurl resulturl runurl followurl location self href urls link links next previous
    log logs webhook estimatedtime retryafter errors errorcause innererror suberrors nodeerrors
    errorinfo statusmsg statusreason statemessage
    originalmessage originalstatuscode safetyratings
    percentcomplete percentagecomplete completionpercentage progresspercent progresspercentage percentdone
    queueposition queuesize queuelength eta waittime estimatedwait done usagemetadata
    blockreason rejectreason rejectionreason cancelreason finishreason stopreason
  `),
);
/** Flags about the course of a run. */
const COURSE =
  /^(?:is)?(?:done|completed?|finished|ready|pending|processing|queued|running|inprogress|async)$/;

/** Members of error responses that may be a whole result as well: {description: "a cat on a mat"}. */
const EITHER = new Set(
  words('title description name type url path file line reason time date version metrics stdout stderr'),
);

/** Those of them that occur beside the message of an error. */
const NAMES = new Set(words('title description name type'));

type Strictness = 'strictly' | 'named';

/**
 * Whether a record holds more than facts about a run: a result of any shape.
 * @param strictly leaves out members that error responses have too, and empty results; `named`: only names of errors
 */
export function contentIn(record: UnknownObject, strictly?: Strictness, depth = 0): boolean {
  if (strictly !== 'strictly') return hasContent(record, strictly, depth);
  const known = strictContent.get(record) ?? hasContent(record, strictly, depth);
  strictContent.set(record, known);
  return known;
}

/** Asked for several times of one body. */
const strictContent = new WeakMap<UnknownObject, boolean>();

function hasContent(record: UnknownObject, strictly: Strictness | undefined, depth: number): boolean {
  return members(record).some(([key, value]) => {
    const name = plainName(key);
    if (value === null || value === undefined || (typeof value === 'boolean' && COURSE.test(name)))
      return false;
    if (isAboutName(name) || isErrorNamed(name, value)) return isResultNamed(name, value, strictly, depth);
    if (strictly === 'named' && NAMES.has(name)) return false;
    // {type: "runs", id, attributes: {...}} of JSON:API.
    if (name === 'type' && isObject(pick(record, 'attributes'))) return false;
    if (strictly === 'strictly' && (EITHER.has(name) || value === '' || isEmptyList(value))) return false;
    // A body of a gateway as text is read as a layer of its own.
    if (strictly === 'strictly' && name === 'body' && pick(record, 'statuscode') !== undefined) return false;
    if (isObject(value) && (strictly === 'strictly' || WRAPPERS.has(name)))
      return depth < 4 && contentIn(value, strictly, depth + 1);
    if (!WRAPPERS.has(name)) return !isObject(value) || members(value).length > 0;
    if (strictly && typeof value === 'string' && /^(?:error|fail(?:ed|ure)?)$/i.test(value)) return false;
    return value !== '' && value !== false;
  });
}

/** Also of records that hold no result, as errors of each item. */
function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.every((entry) => isObject(entry) && !contentIn(entry));
}

/** {message: {role, content}} of a chat, and the code that a model wrote. */
function isResultNamed(
  name: string,
  value: unknown,
  strictly: Strictness | undefined,
  depth: number,
): boolean {
  if (name === 'message')
    return (
      isObject(value) &&
      pick(value, 'role', 'content', 'text') !== undefined &&
      contentIn(value, strictly, depth + 1)
    );
  // Counts of items.
  if (name === 'done') return typeof value === 'number';
  if (name === 'ret' || name === 'rc') return typeof value === 'object';
  return name === 'code' && typeof value === 'string' && !/^[\w.:/ -]{0,80}$/.test(value);
}

/** Whether a member is one of those about a run. */
export function isAbout(name: string): boolean {
  return isAboutName(plainName(name));
}

/** Also under the name of its thing: task_status_msg. */
function isAboutName(name: string): boolean {
  return (
    ABOUT.has(name) ||
    ABOUT.has(name.replace(OF_THING, '')) ||
    ID_OF_WORK.test(name) ||
    isOutcomeCode(name) ||
    isOutcomeMessage(name) ||
    /(?:job|task)(?:status|state)$/.test(name)
  );
}

/** non_field_errors of Django, odata.error. Numbers are measures, and flags are results of a model. */
function isErrorNamed(name: string, value: unknown): boolean {
  if (!/(?:errors?(?:list|details?|info|messages?)?|exception)$/.test(name)) return false;
  const [one] = Array.isArray(value) ? (value as unknown[]) : [value];
  return typeof one !== 'number' && typeof one !== 'boolean';
}

/** The handle of work under way, or of its trace: event_id of Gradio, executionArn of AWS, debug_id of PayPal. */
const ID_OF_WORK =
  /(?:run|execution|job|task|request|prediction|trace|span|correlation|session|instance|worker|error|support|ray|prompt|debug|event|call|invocation|operation|process|workflow|batch|ticket|tracking|inference|transaction|log)(?:id|uuid|arn)$/;

/** Whether a record names the work that it is about. */
export function namesWork(record: UnknownObject): boolean {
  return members(record).some(
    ([name, value]) => asText(value) !== undefined && ID_OF_WORK.test(plainName(name)),
  );
}

const OF_THING = /^(?:job|task|run|execution|prediction|operation)(?=status|state|id$)/;
