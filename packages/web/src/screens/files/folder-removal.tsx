/** Deletes the files of a folder, and the folder too where that is asked for: each by itself, and all of it can be brought back. */
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { callDirectly, type DirectPorts, undoDirectly } from '../../deciding/direct-call.ts'
import { useGateway } from '../../environment/queries.ts'
import { useClient } from '../../environment/services.tsx'
import { FormDialog, Loaded, useForm, useNotify } from '../../kit/index.ts'
import { words as deciding } from '../../words/deciding.ts'
import { words } from '../../words/files.tsx'
import { contentsOf, type FolderContents, mostDeletedFiles } from './folder-contents.ts'

export function FolderRemovalDialog({
  name,
  path,
  what,
  onClose,
  onGone,
}: {
  name: string
  path: string
  /** The folder goes with its files, or stays. */
  what: 'files' | 'folder'
  onClose: () => void
  onGone: () => void
}) {
  const contents = useGateway(['files', 'below', path], (client) => contentsOf(client.folder, path))
  const { done, remove } = useRemoval()
  const form = useForm({})
  const found = contents.data ?? null
  const isFolder = what === 'folder'
  return (
    <FormDialog
      title={isFolder ? words.deleteFolderTitle(name) : words.emptyFolderTitle(name)}
      submit={isFolder ? words.deleteFolder : words.emptyFolder}
      tone="danger"
      form={form}
      disabled={found === null || (!isFolder && found.files.length === 0)}
      onClose={onClose}
      onSubmit={async () => {
        if (found === null) return
        await remove(found.files, isFolder ? found.folders : [])
        if (isFolder) onGone()
      }}
    >
      <Loaded query={contents}>
        {(below) => (
          <div role="status" className="space-y-2">
            <p>{noteOf(below, isFolder, done)}</p>
            {below === null || done > 0 ? null : below.lasting > 0 ? (
              <p className="text-bad">{words.lastingFiles(below.lasting)}</p>
            ) : isFolder ? (
              <p>{words.canUndo}</p>
            ) : null}
          </div>
        )}
      </Loaded>
    </FormDialog>
  )
}

function noteOf(below: FolderContents | null, isFolder: boolean, done: number): string {
  if (below === null) return words.folderTooLarge(mostDeletedFiles)
  const { files, folders } = below
  if (done > 0) return words.deletingFiles(done, files.length + (isFolder ? folders.length : 0))
  if (isFolder) return words.deleteFolderNote(files.length)
  return files.length === 0 ? words.noFilesInFolder : words.emptyFolderNote(files.length)
}

/** Each by itself, so that each is decided about and can be taken back; the folders last, from the deepest up. */
function useRemoval() {
  const client = useClient()
  const queries = useQueryClient()
  const notify = useNotify()
  const [done, setDone] = useState(0)
  const ports: DirectPorts = {
    client,
    wait: (ms) => new Promise<void>((resolve) => window.setTimeout(resolve, ms)),
    tooLong: deciding.direct.tooLong,
  }
  const refresh = () => queries.invalidateQueries({ queryKey: ['files'] })
  async function bringBack(runs: readonly string[]): Promise<void> {
    notify({ text: words.bringingBack })
    try {
      for (const run of runs.toReversed())
        if ((await undoDirectly(ports, run)).kind === 'waits') throw new Error(deciding.direct.waits)
      notify({ text: deciding.direct.undone })
    } catch (error) {
      notify({ text: error instanceof Error ? error.message : String(error), tone: 'bad' })
    } finally {
      await refresh()
    }
  }
  async function remove(files: readonly string[], folders: readonly string[]): Promise<void> {
    const undoable: string[] = []
    const calls = [
      ...files.map((path) => ['delete_file', path] as const),
      ...folders.map((path) => ['remove_folder', path] as const),
    ]
    try {
      for (const [place, [tool, path]] of calls.entries()) {
        setDone(place + 1)
        const outcome = await callDirectly(ports, tool, { path })
        if (outcome.kind === 'waits') throw new Error(words.stillWaits)
        if (outcome.undoable) undoable.push(outcome.run)
      }
      notify({
        text: folders.length === 0 ? words.folderEmptied(files.length) : words.folderDeleted,
        action: { label: words.undo, run: () => void bringBack(undoable) },
      })
    } finally {
      setDone(0)
      await refresh()
    }
  }
  return { done, remove }
}
