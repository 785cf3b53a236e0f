/** What can be done with the folder that is open: another name, another place, or away with all that is in it. */
import { FolderInput, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { callDirectly } from '../../deciding/direct-call.ts'
import { useDirectCalls } from '../../deciding/use-direct-call.ts'
import { useGateway } from '../../environment/queries.ts'
import type { Route } from '../../environment/route.ts'
import { useClient } from '../../environment/services.tsx'
import { FormDialog, Loaded, Menu, useForm } from '../../kit/index.ts'
import { words as deciding } from '../../words/deciding.ts'
import { words } from '../../words/files.tsx'
import { type FolderContents, folderContents, mostDeletedFiles } from './folder-contents.ts'
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
          { label: words.deleteFolder, icon: Trash2, run: () => setOpen('delete') },
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
      {open === 'delete' ? (
        <DeleteFolderDialog
          name={name}
          path={path}
          onClose={close}
          onDeleted={() => route.go(route.href(route.parts.slice(0, -1)))}
        />
      ) : null}
    </>
  )
}

interface DeleteProps {
  readonly name: string
  readonly path: string
  readonly onClose: () => void
  readonly onDeleted: () => void
}

function DeleteFolderDialog({ name, path, onClose, onDeleted }: DeleteProps) {
  const contents = useGateway(['files', 'below', path], (client) => folderContents(client.folder, path))
  const { done, remove } = useRemoval()
  const form = useForm({})
  const inside = contents.data
  return (
    <FormDialog
      title={words.deleteFolderTitle(name)}
      submit={words.deleteFolder}
      tone="danger"
      form={form}
      disabled={!inside}
      onClose={onClose}
      onSubmit={async () => {
        if (inside && (await remove(inside))) onDeleted()
      }}
    >
      <Loaded query={contents}>
        {(found) => (
          <p role="status">
            {found === null
              ? words.folderTooLarge(mostDeletedFiles)
              : done > 0
                ? words.deletingFiles(done, found.files.length)
                : found.files.length === 0
                  ? words.deleteEmptyNote
                  : words.deleteFolderNote(found.files.length)}
          </p>
        )}
      </Loaded>
    </FormDialog>
  )
}

/** Each file by itself, so that each is decided about and can be taken back. Says whether the folder is gone. */
function useRemoval() {
  const client = useClient()
  const direct = useDirectCalls('files')
  const [done, setDone] = useState(0)
  const ports = {
    client,
    wait: (ms: number) => new Promise<void>((resolve) => window.setTimeout(resolve, ms)),
    tooLong: deciding.direct.tooLong,
  }
  async function remove({ files, folders }: FolderContents): Promise<boolean> {
    for (const [place, path] of files.entries()) {
      setDone(place + 1)
      if ((await callDirectly(ports, 'delete_file', { path })).kind === 'waits')
        throw new Error(words.stillWaits)
    }
    for (const path of folders.slice(0, -1)) await callDirectly(ports, 'remove_folder', { path })
    const last = await direct.call('remove_folder', { path: folders.at(-1) ?? '' }, words.folderDeleted)
    return last.kind === 'done'
  }
  return { done, remove }
}
