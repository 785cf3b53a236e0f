/** Owns a first message that is written outside of Chat: it begins a conversation and leads to it. */
import { useChange } from '../../environment/queries.ts'
import { useGo } from '../../environment/route.ts'
import { useNotify } from '../../kit/index.ts'

export function useSay(): { readonly say: (text: string) => void; readonly busy: boolean } {
  const go = useGo()
  const notify = useNotify()
  const send = useChange(
    (client, text: string) => client.send({ key: crypto.randomUUID(), session: null, text, mode: 'auto' }),
    [['sessions']],
  )
  return {
    busy: send.isPending,
    say: (text) =>
      send.mutate(text, {
        onSuccess: ({ session }) => go(`/chat/${session}`),
        onError: (error) => notify({ text: error.message, tone: 'bad' }),
      }),
  }
}
