import * as l10n from '@vscode/l10n';
import { type Environment, isSandbox } from '../domain/environment';
import type {
  BaseUrlProblem,
  ErrorKind,
  Failure,
  FailureDetails,
  FailureReason,
  IncompleteList,
  RefusedAddress,
} from '../domain/failure';
import type { KeyFault } from '../domain/keyFault';
import { isLoopback } from '../domain/loopback';
import type { Money } from '../domain/money';
import type { NextStep } from '../domain/problems';
import type { RunResponse } from '../domain/response';
import { beginning } from '../domain/words';
import { formatTimeOfDay } from './displayLanguage';
import { formatMoney } from './money';
import { remoteMachine } from './remoteMachine';
import { faultText } from './requestFaults';
import { withMapping } from './runStates';
import { isStoreFailure, stepAfterStoreProblem, storeProblemText } from './storeProblem';

/**
 * One or two sentences for any thrown value: the problem, and the next step.
 * @param locale BCP 47, for amounts and times
 */
export function messageOf(error: unknown, locale?: string): string {
  if (isFailure(error)) return failureText(error, locale);
  if (isStoreFailure(error)) return storeProblemText(error);
  if (error instanceof Error && error.name === 'AbortError') return KIND_TEXTS.cancelled({});
  if (error instanceof Error && error.message !== '') return error.message;
  return l10n.t('Something unexpected went wrong. The log has the details.');
}

/** The next step to offer for any thrown value. */
export function nextStepOf(error: unknown): NextStep {
  if (isStoreFailure(error)) return stepAfterStoreProblem(error);
  return isFailure(error) ? nextStepAfter(error, error.environment) : 'showLog';
}

/** The client's error carries its facts; the room that defines its class stays out of this one. */
function isFailure(error: unknown): error is Error & Failure & { readonly environment?: Environment } {
  return error instanceof Error && 'kind' in error && 'details' in error;
}

function failureText({ kind, details }: Failure, locale?: string): string {
  const text = details.why ? reasonText(details.why, locale) : KIND_TEXTS[kind](details, locale);
  const quoted = details.serviceMessage
    ? l10n.t('Service message: “{0}”', details.serviceMessage)
    : GIVES_REASONS.has(kind) && !details.why && withStatus(details)
      ? l10n.t('The service gave no reason. Check the request, retry later, or ask the service’s support.')
      : undefined;
  const after =
    kind === 'outcomeUnknown' &&
    l10n.t(
      'The run may have been executed and charged. It is not retried automatically. Check Usage before running again.',
    );
  return [text, quoted, after].filter(Boolean).join(' ');
}

/** Failures that only the service can explain. */
const GIVES_REASONS: ReadonlySet<ErrorKind> = new Set(['invalidRequest', 'conflict', 'serviceFailing']);

/** "415 Unsupported Media Type" */
function withStatus({ status, statusMeaning }: FailureDetails): string {
  return [status, statusMeaning].filter(Boolean).join(' ');
}

const KIND_TEXTS: Readonly<Record<ErrorKind, (details: FailureDetails, locale?: string) => string>> = {
  notConnected: () => l10n.t('There is no API key for this environment yet. Connect to the service first.'),
  badKey: () => l10n.t('The service does not accept the API key.'),
  noPermission: () => l10n.t('The API key has no permission for this.'),
  cannotPay: () => l10n.t('The wallet balance of this workspace is insufficient.'),
  notFound: () => l10n.t('Not found on the service: it may have been renamed or removed.'),
  invalidRequest: (details) =>
    details.serviceMessage || details.status === undefined
      ? l10n.t('The service rejected the request.')
      : l10n.t('The service rejected the request (status {0}).', withStatus(details)),
  conflict: () => l10n.t('Conflict with the service’s current state.'),
  rateLimited: ({ retryAtMs }, locale) =>
    retryAtMs === undefined
      ? l10n.t('The service limits the rate of requests. Wait a little before you retry.')
      : l10n.t(
          'The service limits the rate of requests. The next one can be sent at {0}.',
          formatTimeOfDay(retryAtMs, locale),
        ),
  serviceFailing: (details) => {
    if (details.status === undefined) return l10n.t('The service failed.');
    return details.notExecuted
      ? l10n.t('The run was not executed (status {0}, by your response mapping).', details.status)
      : l10n.t('The service failed (status {0}).', withStatus(details));
  },
  unreachable: () => l10n.t('The service cannot be reached. Check the base URL and the network.'),
  timedOut: ({ status }) =>
    status === undefined
      ? l10n.t('The service did not respond in time. Retry, or check the log.')
      : l10n.t('The service timed out while it waited for the request.'),
  cancelled: () => l10n.t('Stopped. Nothing more was sent.'),
  unreadableResponse: ({ status }) =>
    status === undefined
      ? l10n.t('The service’s response could not be read.')
      : l10n.t('The service’s response is of an unexpected kind (status {0}).', status),
  outcomeUnknown: (details) => {
    if (details.status === undefined) return l10n.t('No response was received.');
    if (details.status === 408) return KIND_TEXTS.timedOut(details);
    if (details.status >= 499 || details.status === 424) return KIND_TEXTS.serviceFailing(details);
    return l10n.t(
      'The service rejected the run (status {0}), but its response has signs that the run was executed.',
      details.status,
    );
  },
  budgetReached: () => l10n.t('A budget does not allow another run. Nothing was sent.'),
};

type Reason = FailureReason['reason'];

/** More precise texts than that of the kind. */
const REASON_TEXTS: {
  readonly [R in Reason]: (why: FailureReason & { readonly reason: R }, locale?: string) => string;
} = {
  noEnvironment: () => l10n.t('Connect to a service first.'),
  noKey: ({ environment: { name, baseUrl } }) =>
    l10n.t('No API key is stored for “{0}” at {1}.', name, baseUrl),
  keyLost: ({ environment: { name } }) =>
    l10n.t(
      'VS Code kept no API key for “{0}”, though one was entered: its secret storage may be in memory only, without a keyring or in a new container. Set up a keyring, and enter the key again.',
      name,
    ),
  keyReplaced: ({ environment: { name } }) =>
    l10n.t(
      'The API key of “{0}” was changed or forgotten in another window. Reload this window, or enter the key.',
      name,
    ),
  keyOfOtherOrigin: ({ environment: { name, baseUrl } }) =>
    l10n.t(
      'The API key of “{0}” was entered for another address, and is not sent to {1}. Enter the key for this address.',
      name,
      baseUrl,
    ),
  keyUnreadable: ({ cause }) =>
    l10n.t('The API key could not be read from the secret storage: {0}', orUnknown(cause)),
  environmentGone: ({ environment: { name, baseUrl } }) =>
    l10n.t('There is no environment “{0}” at {1} any more. Connect to it again to continue.', name, baseUrl),
  notAllowed: ({ environment: { baseUrl } }) =>
    l10n.t(
      'Your organization’s list of allowed services (the setting modelBench.allowedBaseUrls) does not include {0}. Choose another environment, or ask your administrator to add this address.',
      baseUrl,
    ),
  keyFault: ({ fault }) => keyFaultText(fault),
  runsOnly: () => l10n.t('This API key cannot read the catalog. Runs can be sent.'),
  notSentInTime: () =>
    l10n.t('The time limit was reached before the request could be sent. Nothing was run.'),
  baseUrl: ({ problem }) => baseUrlText(problem),
  modelName: ({ model }) => l10n.t('“{0}” cannot be the name of a model.', beginning(model, 80)),
  request: ({ fault }) => faultText(fault),
  commandArgument: ({ fault }) =>
    fault
      ? l10n.t('The request given to “Run Model…” was not used. {0}', faultText(fault))
      : l10n.t('“Run Model…” takes an object: { model, mode, scope, input, params }.'),
  fileChanged: ({ file }) =>
    l10n.t('“{0}” changed while it was being uploaded. Upload it again once it is saved.', file),
  fileUnreadable: ({ file, cause }) => l10n.t('“{0}” could not be read: {1}', file, orUnknown(cause)),
  uploadRejected: ({ host, status }) =>
    l10n.t(
      'The upload server {0} did not accept the file (status {1}). Your API key is not sent there: retry, and if it fails again, report it to the service.',
      host,
      status,
    ),
  connection: (why) => connectionText(why),
  proxy: (why) => proxyText(why),
  invalidHttp: ({ detail }) =>
    l10n.t('A response came that is not valid HTTP ({0}). Every request of this kind may end so.', detail),
  webPage: () =>
    l10n.t(
      'A web page answered instead of the service: that of a firewall or a sign-in. The API key was not judged.',
    ),
  connectionLost: () => l10n.t('The connection was lost before a response was received.'),
  timeLimit: () => l10n.t('No response was received within your time limit.'),
  stoppedWaiting: () => l10n.t('You stopped waiting for the response.'),
  redirect: ({ target, isNotExecuted }) => redirectText(target, isNotExecuted === true),
  tooLarge: () => l10n.t('The response is too large to be held in memory. Ask the model for less at a time.'),
  noCatalog: () => withMapping(l10n.t('The service’s response is not a list of models. Check the base URL.')),
  noModel: ({ model }) => withMapping(l10n.t('The service’s description of “{0}” could not be read.', model)),
  encodedSlash: ({ model }) =>
    l10n.t(
      'A web server before the service rejected the request for “{0}”, perhaps for the slash in its name, encoded or not. Check the base URL.',
      model,
    ),
  noUploadUrl: () => withMapping(l10n.t('The service’s response has no usable upload URL and upload ID.')),
  uploadForm: () =>
    l10n.t('The service asks for a kind of upload that Model Bench does not support. Nothing was uploaded.'),
  unsafeUploadUrl: ({ refused }) => l10n.t('The file was not uploaded: {0}', refusedAddressText(refused)),
  noMediaRef: () => withMapping(l10n.t('The service’s response to the upload has no file reference.')),
  nextPageElsewhere: ({ refused }) =>
    l10n.t('The next page was not loaded: {0}', refusedAddressText(refused)),
  budget: (why, locale) => budgetText(why, locale),
  quotaUsedUp: () =>
    l10n.t('The quota of this API key is used up. The request was not executed, and waiting does not help.'),
  otherCurrency: ({ cost, limit }, locale) =>
    l10n.t(
      'A run was charged {0}, which a budget of {1} cannot count, so the job stopped. Continue without counting such costs, or set a budget in their currency.',
      formatMoney(cost, locale),
      formatMoney(limit, locale),
    ),
  jobCannotPay: () =>
    l10n.t('The wallet balance was insufficient for a run, so the job stopped. Nothing more was sent.'),
  agentReserve: () =>
    l10n.t('The next run would exceed the amount reserved for this call of an agent. Nothing was sent.'),
  agentStopped: () => l10n.t('Agents may not spend any more, or this call was stopped. Nothing was sent.'),
  notConfirmed: ({ environment: { name } }) =>
    l10n.t('Paid runs in “{0}” were not confirmed in this window. Nothing was sent.', name),
};

function reasonText<R extends Reason>(why: FailureReason & { readonly reason: R }, locale?: string): string {
  return REASON_TEXTS[why.reason](why, locale);
}

const BASE_URL_TEXTS: Readonly<Record<Extract<BaseUrlProblem, string>, () => string>> = {
  notAnAddress: () => l10n.t('Enter a complete address, such as https://models.example.com.'),
  credentials: () =>
    l10n.t('Remove the user name and password from the address: the API key is requested next.'),
  query: () => l10n.t('Remove everything from “?” or “#” on: only the base address is needed.'),
  insecure: () =>
    l10n.t('Use https:, so that your key cannot be read on the way. http: is only for this machine.'),
};

/** Why a base URL cannot be used, and what to enter. */
export function baseUrlText(problem: BaseUrlProblem): string {
  return typeof problem === 'string'
    ? BASE_URL_TEXTS[problem]()
    : l10n.t('Enter the whole address: {0}', problem.missesScheme);
}

const REFUSED_TEXTS: Readonly<Record<RefusedAddress['why'], (address: string) => string>> = {
  notAnAddress: (address) => l10n.t('the service named “{0}”, which is not a valid address.', address),
  otherOrigin: (address) =>
    l10n.t(
      'the service named {0}, which is another server than the base URL. It was not requested.',
      address,
    ),
  insecure: (address) =>
    l10n.t('the service named {0}, which is not secure (https). Nothing was sent to it.', address),
};

/** Why an address that a response names is not requested: the second half of a sentence. */
function refusedAddressText({ address, why }: RefusedAddress): string {
  return REFUSED_TEXTS[why](address);
}

type AcceptedRun = Pick<RunResponse, 'followUrl' | 'notFollowed'>;

/** Of an accepted run: that it is not finished, and why its state is not requested (any more). */
export function acceptedText({ followUrl, notFollowed: why }: AcceptedRun): string {
  if (why === undefined)
    return followUrl === undefined
      ? l10n.t(
          'The service accepted the run and named no address to ask for its outcome. Check Usage, or name the path as “poll” in a response mapping.',
        )
      : l10n.t('The service accepted the run but has not reported that it finished.');
  return why.reason === 'refusedAddress'
    ? l10n.t(
        'The service accepted the run and has not finished it yet. Its state was not requested: {0}',
        refusedAddressText(why.refused),
      )
    : l10n.t(
        'The service accepted the run and has not finished it yet. Requesting its state failed. {0}',
        failureText(why.failure),
      );
}

/** Why a list that was loaded page by page is not complete. */
export function incompleteText(why: IncompleteList): string {
  switch (why.reason) {
    case 'noAddress':
      return l10n.t('The catalog has more models, but the service gave no address for the next page.');
    case 'repeats':
      return l10n.t('The catalog’s pages repeat, so loading stopped.');
    case 'refusedAddress':
      return l10n.t('The catalog has more models: {0}', refusedAddressText(why.refused));
    case 'pageFailed':
      return l10n.t(
        'The catalog has more models, but a page could not be loaded. {0}',
        failureText(why.failure),
      );
    case 'pageUnreadable':
      return l10n.t('The catalog has more models, but a page could not be read.');
    case 'tooManyPages':
      return l10n.t('The catalog has more than {0} pages, so loading stopped.', why.pages);
    case 'fewer':
      return l10n.t(
        'The catalog has {0} models, but the service sent {1} and no address for the others.',
        why.total,
        why.received,
      );
  }
}

/** Why a text is no API key, and the way out. */
export function keyFaultText(fault: KeyFault): string {
  switch (fault) {
    case 'quotes':
      return l10n.t('The API key is in quotes. Enter it without them.');
    case 'scheme':
      return l10n.t('Enter the API key alone, without “Bearer” or another word before it.');
    case 'characters':
      return l10n.t('The API key contains characters that cannot be sent. Copy it again and enter it.');
  }
}

function redirectText(target: string | undefined, isNotExecuted: boolean): string {
  const text =
    target === undefined
      ? l10n.t('The service responded with a redirect that is not followed. Check the base URL.')
      : l10n.t(
          'The service redirects to {0}. A redirect is not followed with an API key or a request: check the base URL.',
          target,
        );
  return isNotExecuted ? `${text} ${l10n.t('The run was not executed and nothing was charged.')}` : text;
}

function connectionText({ host, code, cause, isHttp }: FailureReason & { reason: 'connection' }): string {
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return l10n.t('The host {0} was not found. Check the base URL and the network.', host);
  if (code === 'ECONNREFUSED') {
    const remote = isLoopback(host.replace(/:\d+$/, '')) ? remoteMachine() : undefined;
    const refused = l10n.t('{0} refused the connection. Is the service running?', host);
    if (remote === undefined) return refused;
    return `${refused} ${l10n.t('The address is that of the remote machine ({0}), not of the one in front of you.', remote)}`;
  }
  if (isHttp && (code === 'UND_ERR_SOCKET' || code?.startsWith('HPE_')))
    return l10n.t(
      'The connection to {0} failed: {1}. It may speak https, not http: try https://{0}.',
      host,
      cause || code,
    );
  if (!isHttp && (code === 'ERR_SSL_WRONG_VERSION_NUMBER' || /wrong.version.number/i.test(cause)))
    return l10n.t('{0} speaks http, not https: try http://{0} if it is on this machine.', host);
  if (code === 'CLIENT_CERTIFICATE')
    return l10n.t('The client certificate for {0} cannot be used: {1}', host, cause);
  // The alerts 40, 42 and 116 of TLS; in TLS 1.3 the server may only close.
  if (/alert.(?:handshake.failure|bad.certificate|certificate.required)/i.test(`${code} ${cause}`))
    return l10n.t('{0} asks for a client certificate. {1}', host, nameCertificate());
  if (!isHttp && code === 'UND_ERR_SOCKET')
    return l10n.t(
      '{0} closed the connection ({1}). It may ask for a client certificate. {2}',
      host,
      orUnknown(cause),
      nameCertificate(),
    );
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return l10n.t('The certificate of {0} is for another host. Check the base URL.', host);
  if (code !== undefined && /CERT|SIGNATURE|SELF_SIGNED/.test(code))
    return l10n.t(
      'The certificate of {0} could not be verified ({1}). If a proxy of your organization inspects traffic, install its certificate in the system.',
      host,
      code,
    );
  return l10n.t('The connection to {0} failed: {1}', host, orUnknown(cause));
}

function nameCertificate(): string {
  return l10n.t(
    'Name its files in the setting modelBench.clientCertificates, or in a terminal with --cert and --key.',
  );
}

/** A failure at a proxy: which one, and where it is set. */
function proxyText({ problem, proxy, host, code, cause }: FailureReason & { reason: 'proxy' }): string {
  const { address, source } = proxy;
  if (problem === 'unreadable')
    return l10n.t(
      'The proxy {0} (set in {1}) is not a valid address, so nothing was sent. In a user name and a password, encode # @ : as %23 %40 %3A.',
      address,
      source,
    );
  if (problem === 'unsupported')
    return l10n.t(
      'The proxy {0} (set in {1}) is of an unsupported kind, so nothing was sent. Set an HTTP or HTTPS proxy.',
      address,
      source,
    );
  if (code === 'PROXY_407')
    return l10n.t(
      'The proxy {0} (set in {1}) asks for a user name and password. Write them into the proxy address, or set http.proxyAuthorization in VS Code.',
      address,
      source,
    );
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return l10n.t(
      'The proxy {0} (set in {1}) was not found. Check that setting and the network.',
      address,
      source,
    );
  if (code === 'ECONNREFUSED')
    return l10n.t('The proxy {0} (set in {1}) refused the connection. Is it running?', address, source);
  return l10n.t(
    'The proxy {0} (set in {1}) did not open a connection to {2}: {3}',
    ...[address, source, host, orUnknown(cause)],
  );
}

function budgetText(
  { budget, limit, taken, expected }: FailureReason & { reason: 'budget' },
  locale: string | undefined,
): string {
  const format = (money: Money) => formatMoney(money, locale);
  const reached =
    budget === 'session'
      ? l10n.t(
          'The budget of this window or call ({0}) does not allow another run: {1} is spent or in flight.',
          format(limit),
          format(taken),
        )
      : l10n.t(
          'The budget of this workspace ({0}) does not allow another run: {1} is spent or in flight.',
          format(limit),
          format(taken),
        );
  // Without it, "$0.00 is spent" would be no reason.
  const next = expected && l10n.t('The next one is estimated to cost {0}.', format(expected));
  return [reached, next, l10n.t('Nothing was sent.')].filter(Boolean).join(' ');
}

const STEPS: Readonly<Record<ErrorKind, NextStep>> = {
  notConnected: 'connect',
  badKey: 'setApiKey',
  noPermission: 'setApiKey',
  cannotPay: 'showUsage',
  notFound: 'refresh',
  invalidRequest: 'fixInput',
  conflict: 'refresh',
  rateLimited: 'retry',
  serviceFailing: 'retry',
  unreachable: 'retry',
  timedOut: 'retry',
  cancelled: 'none',
  unreadableResponse: 'showRaw',
  outcomeUnknown: 'showUsage',
  budgetReached: 'changeBudget',
};

/** Where another step than the kind's leads on. */
const REASON_STEPS: Readonly<Partial<Record<Reason, NextStep>>> = {
  noKey: 'setApiKey',
  keyLost: 'setApiKey',
  keyReplaced: 'setApiKey',
  keyOfOtherOrigin: 'setApiKey',
  keyUnreadable: 'setApiKey',
  baseUrl: 'connect',
  redirect: 'connect',
  fileChanged: 'retry',
  uploadRejected: 'retry',
  encodedSlash: 'showRaw',
  tooLarge: 'showLog',
  otherCurrency: 'changeBudget',
  jobCannotPay: 'showUsage',
  agentReserve: 'none',
  agentStopped: 'none',
  notConfirmed: 'none',
  environmentGone: 'connect',
  runsOnly: 'runModel',
  notAllowed: 'switchEnvironment',
  commandArgument: 'none',
  nextPageElsewhere: 'none',
};

/** The button that leads on from a failure. @param environment where it happened */
export function nextStepAfter({ kind, details: { why } }: Failure, environment?: Environment): NextStep {
  // The outcome of a run is looked up, for any reason.
  const step = (why && kind !== 'outcomeUnknown' ? REASON_STEPS[why.reason] : undefined) ?? STEPS[kind];
  // It makes its own key and address, and runs on this computer.
  const isStarted =
    step === 'setApiKey' || why?.reason === 'environmentGone' || (step === 'retry' && kind === 'unreachable');
  return isStarted && environment && isSandbox(environment) ? 'startSandbox' : step;
}

function orUnknown(cause: string): string {
  return cause === '' ? l10n.t('the cause is not known.') : cause;
}
