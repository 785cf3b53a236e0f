/** Owns the moment in which a share is shown: it stands in the composer, and is sent only when its person sends it. */
import { useEffect, useRef } from 'react'
import { takeShared } from '../../data/shared.ts'
import { useAnnounce } from '../../environment/announcer.tsx'
import { useRoute } from '../../environment/route.ts'
import { useNotify } from '../../kit/index.ts'
import { listWords } from '../../language/plural.ts'
import { words } from '../../words/chat.tsx'
import type { Attachments } from './attachments.ts'
import { sharedContent } from './shared-content.ts'

/** Said in the address: `/chat/new?shared=<id>`, or `refused` where the worker did not take it. */
export function useShared(attachments: Pick<Attachments, 'take'>): void {
  const { search, ask } = useRoute()
  const notify = useNotify()
  const announce = useAnnounce()
  const id = search['shared']
  const seen = useRef<string | undefined>(undefined)
  useEffect(() => {
    if (id === undefined || seen.current === id) return
    seen.current = id
    ask({ shared: undefined })
    const refuse = (text: string) => notify({ text, tone: 'bad' })
    void (id === 'refused' ? Promise.resolve(null) : takeShared(window.caches, id)).then((form) => {
      if (form === null) return refuse(id === 'refused' ? words.shared.tooLarge : words.shared.gone)
      const { text, files, refused } = sharedContent(form)
      if (refused.length > 0) refuse(words.shared.refused(listWords(refused)))
      const sharedAt = performance.now()
      const chosen = [...sharedText(text), ...files.map((file) => ({ file }))].map((each) => ({
        ...each,
        sharedAt,
      }))
      if (chosen.length > 0) {
        attachments.take(chosen)
        announce(words.shared.here)
      } else if (refused.length === 0) refuse(words.shared.empty)
    })
  }, [id, ask, notify, announce, attachments])
}

function sharedText(text: string): { readonly file: File; readonly text: string }[] {
  if (text === '') return []
  return [{ file: new File([text], words.shared.fileName, { type: 'text/plain' }), text }]
}
