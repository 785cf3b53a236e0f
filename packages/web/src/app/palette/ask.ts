/** Owns the last entry of the palette: what was typed, said to the assistant in a new conversation. */
import { MessageCircleQuestion } from 'lucide-react'
import { useGo } from '../../environment/route.ts'
import { useClient } from '../../environment/services.tsx'
import { useNotify } from '../../kit/index.ts'
import { words } from '../../words/frame.tsx'
import type { PaletteEntry } from './entry.ts'

export function useAsk(query: string): readonly PaletteEntry[] {
  const client = useClient()
  const go = useGo()
  const notify = useNotify()
  const text = query.trim()
  if (text === '') return []
  // The palette is closed when the answer comes, so nothing here may depend on it being there.
  const run = () =>
    void client
      .send({ key: crypto.randomUUID(), session: null, text, mode: 'auto' })
      .then(({ session }) => go(`/chat/${session}`))
      .catch((error: Error) => notify({ text: error.message, tone: 'bad' }))
  return [{ id: 'ask', group: 'ask', label: words.palette.ask(text), icon: MessageCircleQuestion, run }]
}
