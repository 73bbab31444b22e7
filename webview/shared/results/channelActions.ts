import type { Channel, Methods } from '../../../src/protocol/channel';
import type { ResultHostMethods } from '../../../src/protocol/result';
import type { TableSort, ViewKind } from '../../../src/results/resultView';

/** The host's actions for a shown result: the page has no network and does not hold the whole output. */
export type ResultActions = ReturnType<typeof channelActions>;

/**
 * The actions of one result over a page's channel, whose host methods have `resultHostMethods` among them.
 * @param viewChosen loads the views of the page's results again
 */
export function channelActions(
  channel: Pick<Channel<Methods, ResultHostMethods>, 'call'>,
  result: string,
  viewChosen: () => unknown,
) {
  return {
    result,
    children: (pointer: string, from: number, count: number) =>
      channel.call('resultChildren', { result, pointer, from, count }),
    search: (text: string, signal: AbortSignal) => channel.call('resultSearch', { result, text }, signal),
    rows: (pointer: string, sort: TableSort | undefined, from: number, count: number) =>
      channel.call('resultRows', { result, pointer, sort, from, count }),
    /** Puts the media at a pointer where the page may load it from; fetches remote media. */
    media: (pointer: string) => channel.call('resultMedia', { result, pointer }),
    saveMedia: (pointer: string) => channel.call('resultSaveMedia', { result, pointer }),
    openHit: (file: string) => channel.call('resultOpenHit', { file }),
    copyText: (text: string) => channel.call('copyText', { text }),
    copyValue: (pointer: string) => channel.call('resultCopyValue', { result, pointer }),
    /** Shows the value in another view, from now on for this model. */
    chooseView: async (pointer: string, kind: ViewKind) => {
      await channel.call('resultChooseView', { result, pointer, kind });
      await viewChosen();
    },
    useAs: (pointer: string) => channel.call('resultUseAs', { result, pointer }),
    openValue: (pointer: string) => channel.call('resultOpenValue', { result, pointer }),
  };
}
