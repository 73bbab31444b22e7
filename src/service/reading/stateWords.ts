import { words } from '../../domain/words';
import { plainName } from './records';

/**
 * What a word for a state says; the states themselves are "not shown" (section 3). `partial`: it ended, and not all of
 * it succeeded.
 */
type StateWord = 'finished' | 'accepted' | 'failed' | 'partial';

const STATES: Readonly<Record<string, StateWord>> = {
  ...statesOf(
    'finished',
    `succeeded success successful succeed completed complete done finished ok okay ready indexed stored
     succeededwithwarnings completedwithwarnings`,
  ),
  ...statesOf(
    'accepted',
    `accepted queued inqueue pending processing running inprogress started starting scheduled submitted created waiting
     enqueued preparing initializing provisioning booting warmingup validating finalizing retrying`,
  ),
  ...statesOf(
    'failed',
    `failed fail failure error errored unsuccessful cancelled canceled aborted rejected timeout timedout expired
     crashed killed terminated invalid denied outofmemory oom`,
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

/** Undefined: a word that is not known. */
export function stateOfWord(word: string): StateWord | undefined {
  const name = plainName(word);
  return Object.hasOwn(STATES, name) ? STATES[name] : undefined;
}
