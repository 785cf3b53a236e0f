/** Owns what an address asks a screen to do at once: `/goals?do=add` opens the dialog that adds a goal. */
import { useEffect } from 'react'
import { useRoute } from './route.ts'

/** Does it, and takes it out of the address, so that going back does not ask again. Only for what opens something. */
export function useAskedFor(what: string, open: () => void): void {
  const { search, ask } = useRoute()
  const isAsked = search['do'] === what
  useEffect(() => {
    if (!isAsked) return
    ask({ do: undefined })
    open()
  }, [isAsked, ask, open])
}
