/** What can be done with the folder that is open: another name, another place, away with the files in it, or with all of it. */
import { FolderInput, FolderX, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { Route } from '../../environment/route.ts'
import { Menu } from '../../kit/index.ts'
import { words } from '../../words/files.tsx'
import { FolderRemovalDialog } from './folder-removal.tsx'
import { MoveDialog } from './name-dialogs.tsx'

export function FolderActions({ route }: { route: Route }) {
  const [open, setOpen] = useState<'rename' | 'move' | 'files' | 'folder' | null>(null)
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
          { label: words.emptyFolder, icon: Trash2, run: () => setOpen('files') },
          { label: words.deleteFolder, icon: FolderX, run: () => setOpen('folder') },
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
      {open === 'files' || open === 'folder' ? (
        <FolderRemovalDialog
          name={name}
          path={path}
          what={open}
          onClose={close}
          onGone={() => route.go(route.href(route.parts.slice(0, -1)))}
        />
      ) : null}
    </>
  )
}
