/** What can be done with the folder that is open: another name, another place, or away with the files in it. */
import { useQueryClient } from '@tanstack/react-query'
import { FolderInput, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { callDirectly } from '../../deciding/direct-call.ts'
import { useGateway } from '../../environment/queries.ts'
import type { Route } from '../../environment/route.ts'
import { useClient } from '../../environment/services.tsx'
import { FormDialog, Loaded, Menu, useForm, useNotify } from '../../kit/index.ts'
import { words as deciding } from '../../words/deciding.ts'
import { words } from '../../words/files.tsx'
import { filesBelow, mostDeletedFiles } from './folder-contents.ts'
import { MoveDialog } from './name-dialogs.tsx'

export function FolderActions({ route }: { route: Route }) {
  const [open, setOpen] = useState<'rename' | 'move' | 'delete' | null>(null)
  const name = route.parts.at(-1)
  if (name === undefined) return null
  const path = route.parts.join('/')
  const close = () => setOpen(null)
  return (
    <>
      <Menu
        label={words.thisFolder}
        variant="plain"
        items={[
          { label: words.renameFolder, icon: Pencil, run: () => setOpen('rename') },
          { label: words.moveFolder, icon: FolderInput, run: () => setOpen('move') },
          { label: words.emptyFolder, icon: Trash2, run: () => setOpen('delete') },
        ]}
      />
      {open === 'rename' || open === 'move' ? (
        <MoveDialog
          entry={{ name, path }}
          what={open}
          onClose={close}
          onMoved={(to) => route.go(route.href(to.split('/')))}
        />
      ) : null}
      {open === 'delete' ? <EmptyFolderDialog name={name} path={path} onClose={close} /> : null}
    </>
  )
}

function EmptyFolderDialog({ name, path, onClose }: { name: string; path: string; onClose: () => void }) {
  const contents = useGateway(['files', 'below', path], (client) => filesBelow(client.folder, path))
  const { done, remove } = useRemoval()
  const form = useForm({})
  const files = contents.data ?? []
  return (
    <FormDialog
      title={words.emptyFolderTitle(name)}
      submit={words.emptyFolder}
      tone="danger"
      form={form}
      disabled={files.length === 0}
      onClose={onClose}
      onSubmit={() => remove(files)}
    >
      <Loaded query={contents}>
        {(found) => (
          <p role="status">
            {found === null
              ? words.folderTooLarge(mostDeletedFiles)
              : done > 0
                ? words.deletingFiles(done, found.length)
                : found.length === 0
                  ? words.noFilesInFolder
                  : words.emptyFolderNote(found.length)}
          </p>
        )}
      </Loaded>
    </FormDialog>
  )
}

/** Each file by itself, so that each is decided about and can be taken back. */
function useRemoval() {
  const client = useClient()
  const queries = useQueryClient()
  const notify = useNotify()
  const [done, setDone] = useState(0)
  const ports = {
    client,
    wait: (ms: number) => new Promise<void>((resolve) => window.setTimeout(resolve, ms)),
    tooLong: deciding.direct.tooLong,
  }
  async function remove(files: readonly string[]): Promise<void> {
    try {
      for (const [place, path] of files.entries()) {
        setDone(place + 1)
        if ((await callDirectly(ports, 'delete_file', { path })).kind === 'waits')
          throw new Error(words.stillWaits)
      }
      notify({ text: words.folderEmptied(files.length) })
    } finally {
      await queries.invalidateQueries({ queryKey: ['files'] })
    }
  }
  return { done, remove }
}
