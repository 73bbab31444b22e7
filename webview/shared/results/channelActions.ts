import type { Channel, Methods } from '../../../src/protocol/channel';
import type { ResultHostMethods } from '../../../src/protocol/result';
import type { ResultActions } from './actions';

/**
 * The actions of one result over a page's channel, whose host methods have `resultHostMethods` among them.
 * @param viewChosen loads the views of the page's results again
 */
export function channelActions(
  channel: Pick<Channel<Methods, ResultHostMethods>, 'call'>,
  result: string,
  viewChosen: () => unknown,
): ResultActions {
  return {
    result,
    children: (pointer, from, count) => channel.call('resultChildren', { result, pointer, from, count }),
    search: (text, signal) => channel.call('resultSearch', { result, text }, signal),
    rows: (pointer, sort, from, count) => channel.call('resultRows', { result, pointer, sort, from, count }),
    media: (pointer) => channel.call('resultMedia', { result, pointer }),
    saveMedia: (pointer) => channel.call('resultSaveMedia', { result, pointer }),
    openHit: (file) => channel.call('resultOpenHit', { file }),
    copyText: (text) => channel.call('copyText', { text }),
    copyValue: (pointer) => channel.call('resultCopyValue', { result, pointer }),
    chooseView: async (pointer, kind) => {
      await channel.call('resultChooseView', { result, pointer, kind });
      await viewChosen();
    },
    useAs: (pointer) => channel.call('resultUseAs', { result, pointer }),
    openValue: (pointer) => channel.call('resultOpenValue', { result, pointer }),
  };
}
