/** The Files screen: the workspace folder by folder, with the marks on what came from outside, and one file open. */
import type { WorkspaceEntry } from '@countersign/contract'
import { File, FilePlus, Folder, FolderPlus, Link2 } from 'lucide-react'
import { type DragEvent, useState } from 'react'
import { useGateway } from '../../environment/queries.ts'
import { type Route, useRoute } from '../../environment/route.ts'
import type { Screen } from '../../environment/screen.ts'
import {
  Button,
  EmptyState,
  Link,
  ListDetail,
  Loaded,
  Row,
  Safe,
  SearchField,
  Time,
  useIsNarrow,
  useListKeys,
} from '../../kit/index.ts'
import { sizeWords } from '../../language/format.ts'
import { words } from '../../words/files.tsx'
import { FileMarks } from './file-marks.tsx'
import { FilePage } from './file-page.tsx'
import { FolderActions } from './folder-actions.tsx'
import { FolderDialog, TextFileDialog } from './name-dialogs.tsx'
import { UploadButton, type Uploading, UploadProgress, useUpload } from './upload.tsx'

export const screen: Screen = { component: FilesScreen }

function FilesScreen() {
  const route = useRoute()
  const narrow = useIsNarrow()
  const [typed, setTyped] = useState('')
  const [open, setOpen] = useState<'folder' | 'file' | null>(null)
  const here = route.parts.length === 0 ? '.' : route.parts.join('/')
  const upload = useUpload(here)
  const folder = useGateway(['files', 'folder', here], (client) => client.folder(here))
  const entries = (folder.data?.entries ?? []).filter(({ name }) =>
    name.toLowerCase().includes(typed.trim().toLowerCase()),
  )
  const firstFile = entries.find(({ kind }) => kind === 'file')?.name
  const chosen = route.search['file'] ?? (narrow ? undefined : firstFile)
  const entry = folder.data?.entries.find(({ name }) => name === chosen)
  useListKeys(words.title, {
    ids: entries.map(({ name }) => name),
    current: chosen ?? null,
    onMove: (name) => route.go(route.href(route.parts, { file: name }), { replace: true }),
    onBack: () => route.go(route.href(route.parts.slice(0, -1))),
  })
  const empty = (
    <EmptyState
      className="px-2"
      sentence={typed === '' ? words.empty : words.noMatch}
      {...(typed === '' ? { action: <UploadButton upload={upload} /> } : {})}
    />
  )
  const drop = (event: DragEvent) => {
    event.preventDefault()
    void upload.files([...event.dataTransfer.files])
  }
  return (
    <div className="h-full" onDragOver={(event) => event.preventDefault()} onDrop={drop}>
      <ListDetail
        title={words.title}
        tools={<Tools route={route} upload={upload} typed={typed} onType={setTyped} onOpen={setOpen} />}
        backTo={route.href(route.parts)}
        list={
          <Loaded query={folder} isEmpty={() => entries.length === 0} empty={empty}>
            {({ more }) => (
              <>
                {entries.map((each) => (
                  <EntryRow key={each.path} entry={each} route={route} current={each.name === chosen} />
                ))}
                {more ? <p className="px-3 py-2 text-small text-ink-3">{words.more}</p> : null}
              </>
            )}
          </Loaded>
        }
        detail={entry === undefined ? null : <FilePage key={entry.path} entry={entry} />}
        placeholder={<p className="text-ink-3">{words.choose}</p>}
      />
      {open === 'folder' ? <FolderDialog here={here} onClose={() => setOpen(null)} /> : null}
      {open === 'file' ? <TextFileDialog here={here} onClose={() => setOpen(null)} /> : null}
    </div>
  )
}

function Tools({
  route,
  upload,
  typed,
  onType,
  onOpen,
}: {
  route: Route
  upload: Uploading
  typed: string
  onType: (text: string) => void
  onOpen: (what: 'folder' | 'file') => void
}) {
  return (
    <div className="space-y-2">
      <div className="flex flex-wrap gap-2">
        <UploadButton upload={upload} />
        <Button icon={FolderPlus} onClick={() => onOpen('folder')}>
          {words.newFolder}
        </Button>
        <Button icon={FilePlus} onClick={() => onOpen('file')}>
          {words.newFile}
        </Button>
        <FolderActions route={route} />
      </div>
      <UploadProgress upload={upload} />
      <Crumbs route={route} />
      <SearchField label={words.filter} value={typed} onChange={onType} />
    </div>
  )
}

function Crumbs({ route }: { route: Route }) {
  return (
    <nav aria-label={words.place} className="flex flex-wrap items-center gap-1 text-small">
      <Link to={route.href([])}>{words.workspace}</Link>
      {route.parts.map((part, place) => (
        <span key={route.parts.slice(0, place + 1).join('/')} className="inline-flex items-center gap-1">
          <span aria-hidden className="text-ink-3">
            /
          </span>
          <Link to={route.href(route.parts.slice(0, place + 1))}>
            <Safe text={part} />
          </Link>
        </span>
      ))}
    </nav>
  )
}

const icons = { folder: Folder, file: File, link: Link2, other: File } as const

function EntryRow({ entry, route, current }: { entry: WorkspaceEntry; route: Route; current: boolean }) {
  const Icon = icons[entry.kind]
  const to =
    entry.kind === 'folder'
      ? route.href([...route.parts, entry.name])
      : route.href(route.parts, { file: entry.name })
  return (
    <Row to={to} current={current} className="flex items-start gap-2">
      <Icon size={16} aria-hidden className="mt-0.5 shrink-0 text-ink-3" />
      <span className="min-w-0 flex-1">
        <span className="block break-words">
          <Safe text={entry.name} />
          {entry.kind === 'folder' ? <span className="sr-only">{words.folder}</span> : null}
        </span>
        <span className="mt-0.5 flex flex-wrap items-center gap-1.5 text-small text-ink-3">
          <FileMarks entry={entry} />
          {entry.kind === 'file' ? sizeWords(entry.size) : null}
          <Time at={entry.modifiedAt} className="ms-auto" />
        </span>
      </span>
    </Row>
  )
}
