/** Owns what the buttons of a channel do: test, pause, resume. Each says what came of it. */
import type { ChannelTestOutcome, ChannelView } from '@countersign/contract'
import { useChange } from '../../environment/queries.ts'
import { type Notice, useAct, useNotify } from '../../kit/index.ts'
import { words } from '../../words/channels.tsx'
import { testedChannel } from './tested.ts'

export interface ChannelActs {
  readonly isBusy: boolean
  readonly isTesting: boolean
  readonly test: () => void
  readonly togglePause: () => void
}

export function useChannelActs({ name, choices }: Pick<ChannelView, 'name' | 'choices'>): ChannelActs {
  const notify = useNotify()
  const { act, isBusy } = useAct([['channels']])
  const sending = useChange((client) => testedChannel(client, name), [['channels']])
  return {
    isBusy,
    isTesting: sending.isPending,
    test: () =>
      sending.mutate(undefined, {
        onSuccess: (outcome) => notify(noticeOf(outcome)),
        onError: (error) => notify({ text: error.message, tone: 'bad' }),
      }),
    togglePause: () => {
      const said = choices.paused ? words.resumed : words.paused
      void act((client) => client.chooseChannel(name, { paused: !choices.paused }), said(name))
    },
  }
}

function noticeOf(outcome: ChannelTestOutcome): Notice {
  return outcome.kind === 'failed'
    ? { text: outcome.problem ?? words.test.failed, tone: 'bad' }
    : { text: words.test[outcome.kind] }
}
