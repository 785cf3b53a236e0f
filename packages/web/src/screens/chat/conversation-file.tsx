/** Owns a conversation as a file: saved from here, and taken in again. What a file says counts as untrusted. */
import type { ConversationExport, SessionView } from '@countersign/contract'
import type { Client } from '@countersign/contract/client'
import { FileUp } from 'lucide-react'
import { useRef } from 'react'
import { useChange } from '../../environment/queries.ts'
import { useGo } from '../../environment/route.ts'
import { Button, saveFile, useNotify } from '../../kit/index.ts'
import { words } from '../../words/chat.tsx'

export async function saveConversation(client: Client, { id, title }: SessionView): Promise<void> {
  const text = JSON.stringify(await client.exportSession(id), null, 2)
  const name = title.replaceAll(/[^\p{L}\p{N}]+/gu, '-').slice(0, 60) || 'conversation'
  saveFile(new Blob([text], { type: 'application/json' }), `${name}.json`)
}

export function ImportConversation() {
  const input = useRef<HTMLInputElement>(null)
  const go = useGo()
  const notify = useNotify()
  const take = useChange(
    async (client, file: File) => {
      // The gateway looks at what is in it; here it is only brought there.
      const conversation = JSON.parse(await file.text()) as ConversationExport
      return client.importSession({ conversation, mine: false })
    },
    [['sessions']],
  )
  return (
    <>
      <input
        ref={input}
        type="file"
        accept="application/json,.json"
        hidden
        aria-label={words.list.importFile}
        onChange={({ target }) => {
          const [file] = target.files ?? []
          target.value = ''
          if (file === undefined) return
          take.mutate(file, {
            onSuccess: ({ session }) => {
              notify({ text: words.list.imported })
              go(`/chat/${session}`)
            },
            onError: () => notify({ text: words.list.notImported(file.name), tone: 'bad' }),
          })
        }}
      />
      <Button
        variant="quiet"
        busy={take.isPending}
        title={words.list.import}
        aria-label={words.list.import}
        onClick={() => input.current?.click()}
      >
        <FileUp size={16} aria-hidden />
      </Button>
    </>
  )
}
