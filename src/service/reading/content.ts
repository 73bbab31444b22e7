import { isObject, type UnknownObject } from '../../domain/value';
import { words } from '../../domain/words';
import { members, plainName } from './records';

// Whether a body holds a result, or only facts about one.

/** Members that wrap a body, or hold a result whose shape is the model's. */
const WRAPPERS = new Set(
  words('data result results response body payload run job task execution value content'),
);
/** Members that hold a result, and where it is an error no more than that. */
const OUTPUTS = new Set(words('output outputs prediction predictions'));
/** Members about a run, its request, its errors and its money. */
const ABOUT = new Set(
  words(`
    id imageid itemid documentid docid externalid mediaref index position
    runid executionid jobid taskid requestid predictionid traceid correlationid uuid sessionid
    status state phase stage step progress outcome success ok succeeded successful issuccess issuccessful issucceeded isok
    failed failure failures errored rejected haserror haserrors iserror isfailed
    statuscode httpstatus httpstatuscode httpcode responsecode code errno errcode errorcode errornumber errorno retcode
    suberrorcode resultcode returncode statusmessage statustext
    message msg error errors err fault exception traceback stacktrace trace
    errormsg errmsg errmessage errormessage errordescription errorreason errortext errortype errordetails faultstring
    failurereason failuremessage failurecause failedreason exceptionmessage exceptiontype
    detail details warning warnings hint help documentationurl instance method object event kind jsonrpc
    api apiversion requestpath meta metadata
    created createdat updatedat startedat completedat finishedat queuedat endedat timestamp
    took tookms elapsed elapsedms duration durationms latency latencyms executiontime executiontimems predicttime
    delaytime workerid hostname region server node instanceid
    cost costs totalcost charge charged chargedamount amountcharged price billing usage receipt credits balance currency
    model modelid modelname modelversion mode scope input inputs request params parameters options
    statusurl pollurl pollingurl resulturl runurl followurl location self href urls link links next previous
    log logs webhook estimatedtime retryafter errorid errors errorcause innererror suberrors nodeerrors supportid rayid returnmsg returnmessage retmsg resultmsg
    resultmessage errorinfo
  `),
);
/** Members of error responses that may be a whole result as well: {description: "a cat on a mat"}. */
const EITHER = new Set(
  words('title description name type url path file line reason time date version metrics stdout stderr'),
);

/**
 * Whether a record holds more than facts about a run: a result of any shape.
 * @param strictly leaves out members that error responses have too, and empty results
 */
export function contentIn(record: UnknownObject, strictly?: 'strictly', depth = 0): boolean {
  return members(record).some(([key, value]) => {
    const name = plainName(key);
    if (value === null || value === undefined) return false;
    if (ABOUT.has(name)) return isResultNamed(name, value, strictly, depth);
    if (strictly && (EITHER.has(name) || (Array.isArray(value) && value.length === 0))) return false;
    if (!WRAPPERS.has(name) && !(strictly && OUTPUTS.has(name) && isObject(value)))
      return !isObject(value) || members(value).length > 0;
    if (isObject(value)) return depth < 4 && contentIn(value, strictly, depth + 1);
    if (strictly && typeof value === 'string' && /^(?:error|fail(?:ed|ure)?)$/i.test(value)) return false;
    return value !== '' && value !== false;
  });
}

/** {message: {role, content}} of a chat, and the code that a model wrote. */
function isResultNamed(
  name: string,
  value: unknown,
  strictly: 'strictly' | undefined,
  depth: number,
): boolean {
  if (name === 'message') return isObject(value) && contentIn(value, strictly, depth + 1);
  return name === 'code' && typeof value === 'string' && !/^[\w.:/ -]{0,80}$/.test(value);
}

/** Whether a member is one of those about a run. */
export function isAbout(name: string): boolean {
  return ABOUT.has(plainName(name));
}
