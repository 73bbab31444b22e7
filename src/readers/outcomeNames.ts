// Names of the code of an outcome, and of the words about it, as hand-written envelopes have them: {retCode, retMsg} of
// QQ, {resultCode, resultMsg} of Korean open data, {respCode, respDesc} of UnionPay, {rspCode, rspMsg}, {rtnCode, rtnMsg};
// {ret, msg} and {rc, rcmsg} of older ones.

const OF_OUTCOME = 're(?:t|s|sp|turn|sponse|sult)|rsp|rtn|rc|biz';
const CODE = new RegExp(`^(?:${OF_OUTCOME})?code$|^(?:ret|rc)$`);
const MESSAGE = new RegExp(`^(?:${OF_OUTCOME})(?:msg|message|desc|description|info)$`);

/** Whether a name in plain form, as by `plainName`, is that of an outcome's code. */
export function isOutcomeCode(name: string): boolean {
  return CODE.test(name);
}

/** Whether a name in plain form is that of the words about an outcome; "message" alone is not. */
export function isOutcomeMessage(name: string): boolean {
  return MESSAGE.test(name);
}
