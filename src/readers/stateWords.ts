import { ownOf } from '../domain/value';
import { words } from '../domain/words';
import { plainName } from './records';

/**
 * The meaning of a word for a state; the states themselves are "not shown" (section 3). `partial`: it ended, and not all
 * of it succeeded.
 */
export type StateWord = 'finished' | 'accepted' | 'failed' | 'partial';

const STATES: Readonly<Record<string, StateWord>> = {
  ...statesOf(
    'finished',
    `succeeded success successful succeed completed complete done finished ok okay ready indexed stored
     succeededwithwarnings completedwithwarnings 成功`,
  ),
  ...statesOf(
    'accepted',
    `accepted queued inqueue pending processing running inprogress started starting scheduled submitted created waiting
     enqueued preparing initializing provisioning booting warmingup validating finalizing retrying working received
     inqueued throttled notstarted`,
  ),
  ...statesOf(
    'failed',
    `failed fail failure error errored unsuccessful cancelled canceled aborted rejected timeout timedout expired
     crashed killed terminated invalid denied outofmemory oom exception systemerror internalservererror notfound
     forbidden unauthorized badrequest badgateway serviceunavailable gatewaytimeout toomanyrequests requestmoderated
     contentmoderated 失败`,
  ),
  // Names of gRPC codes other than OK, where a status is a word (google/rpc/code.proto). UNKNOWN may be any state.
  ...statesOf(
    'failed',
    `invalidargument deadlineexceeded permissiondenied resourceexhausted failedprecondition outofrange unimplemented
     internal unavailable dataloss unauthenticated`,
  ),
  ...statesOf(
    'partial',
    `partial partially partiallysucceeded partialsuccess partiallycompleted partiallyfailed partialfailure
     completedwitherrors donewitherrors finishedwitherrors succeededwitherrors completedwithfailures`,
  ),
};

function statesOf(state: StateWord, names: string): Record<string, StateWord> {
  return Object.fromEntries(words(names).map((word) => [word, state]));
}

/** Members that hold a state, also under the name of their thing: task_status of Kling, TrainingJobStatus of AWS. */
export const STATE_NAMES: readonly string[] = [
  ...['status', 'state', 'phase'],
  ...words(
    'job task run execution prediction operation trainingjob transformjob transcriptionjob processing provisioning',
  ).flatMap((of) => [`${of}status`, `${of}state`]),
];

/** Enumerations repeat their name: JOB_STATE_FAILED of Vertex AI, WORKFLOW_EXECUTION_STATUS_COMPLETED, RUN_ERROR. */
const PREFIX = /^(?:\w*(?:state|status)|job|task|run|execution|prediction|code|phase)(?=.)/;
const LONGEST = 60;
/** A word with one of these parts: "error_17", "upload-failed", "GpuOutOfMemoryError". */
const FAILED_PART =
  /^(?:failed|failure|fail|error|errors|errored|exception|cancelled|canceled|aborted|timeout)$/;

/** Undefined: a word that is not known. */
export function stateOfWord(word: string): StateWord | undefined {
  if (word.length > LONGEST) return undefined;
  const known = knownState(plainName(word));
  if (known !== undefined) return known;
  const parts = word
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u);
  const isNegated = parts.some((part) => /^(?:no|not|non|without|with)$/.test(part));
  return !isNegated && parts.some((part) => FAILED_PART.test(part)) ? 'failed' : undefined;
}

function knownState(name: string): StateWord | undefined {
  const rest = name.replace(PREFIX, '');
  return ownOf(STATES, name) ?? (rest === name ? undefined : knownState(rest));
}
