/** Owns having the summary of Today made now, from anywhere. */
import { useQueryClient } from '@tanstack/react-query'
import { useGo } from '../../environment/route.ts'
import { useClient } from '../../environment/services.tsx'
import { useNotify } from '../../kit/index.ts'
import { words } from '../../words/today.tsx'

export function useUpdateSummary(): () => void {
  const client = useClient()
  const queries = useQueryClient()
  const go = useGo()
  const notify = useNotify()
  const update = async () => {
    go('/')
    try {
      const { feed, ledger } = await client.makeFeed(false)
      await queries.invalidateQueries({ queryKey: ['feed'] })
      const { length } = feed.items
      notify({ text: length === 0 ? words.feed.toldNothing(ledger) : words.feed.told(length, ledger) })
    } catch (error) {
      notify({ text: error instanceof Error ? error.message : String(error), tone: 'bad' })
    }
  }
  return () => void update()
}
