/** One file: what it is, what it shows, what happened to it, and what can be done with it. */
import type { WorkspaceEntry } from '@countersign/contract'
import { Download, FolderInput, Pencil, Shield, ShieldAlert, Trash2 } from 'lucide-react'
import { useState } from 'react'
import {
  type FetchedFile,
  fetchFile,
  largestDownload,
  largestPreview,
  previewOf,
} from '../../data/file-bytes.ts'
import { useDirectCalls } from '../../deciding/use-direct-call.ts'
import { useChange, useGateway } from '../../environment/queries.ts'
import { useRoute } from '../../environment/route.ts'
import { useClient } from '../../environment/services.tsx'
import {
  Button,
  Facts,
  Loaded,
  Menu,
  Safe,
  Section,
  Sheet,
  saveFile,
  Time,
  useNotify,
} from '../../kit/index.ts'
import { sizeWords } from '../../language/format.ts'
import { words } from '../../words/files.tsx'
import { FileHistory } from './file-history.tsx'
import { FileMarks } from './file-marks.tsx'
import { FilePreview } from './file-preview.tsx'
import { MoveDialog, TextFileDialog } from './name-dialogs.tsx'
import { folderOf } from './paths.ts'
import { ToldFile } from './told-file.tsx'

export function FilePage({ entry }: { entry: WorkspaceEntry }) {
  const { path, label } = entry
  const file = useGateway(
    ['files', 'content', path, entry.modifiedAt],
    (client) => fetchFile(client, path, { most: largestPreview, changed: words.changedMeanwhile }),
    { enabled: entry.kind === 'file' },
  )
  return (
    <article>
      <h2 className="text-title font-medium break-words">
        <Safe text={entry.name} />
      </h2>
      <div className="mt-2 flex flex-wrap gap-1.5">
        <FileMarks entry={entry} />
      </div>
      <FileActions entry={entry} file={file.data} />
      <Sheet className="mt-4">
        <Facts
          rows={[
            [words.pathLabel, <Safe key="path" text={path} />],
            [words.size, entry.kind === 'file' ? sizeWords(entry.size) : null],
            [words.modified, <Time key="at" at={entry.modifiedAt} />],
            [words.source, label === null ? null : <Safe key="from" text={label.sources.join(', ')} />],
          ]}
        />
      </Sheet>
      {entry.kind === 'file' ? (
        <Section title={words.preview}>
          <Loaded query={file}>{(fetched) => <FilePreview path={path} file={fetched} />}</Loaded>
        </Section>
      ) : (
        <p className="mt-4 text-ink-2">{words.notOpened}</p>
      )}
      {entry.kind === 'file' ? <ToldFile entry={entry} /> : null}
      <FileHistory path={path} />
    </article>
  )
}

function FileActions({ entry, file }: { entry: WorkspaceEntry; file: FetchedFile | undefined }) {
  const route = useRoute()
  const direct = useDirectCalls('files')
  const [open, setOpen] = useState<'edit' | 'rename' | 'move' | null>(null)
  const download = useDownload(entry)
  const trust = useTrust(entry.path)
  const preview = file === undefined ? undefined : previewOf(entry.path, file.bytes)
  const isWhole = file !== undefined && file.bytes.length === file.first.size
  const text = isWhole && preview !== undefined && 'text' in preview ? preview.text : undefined
  const isOutside = entry.label?.integrity === 'untrusted'
  const close = () => setOpen(null)
  const moved = (to: string) => {
    const folder = folderOf(to)
    route.go(route.href(folder === '.' ? [] : folder.split('/'), { file: to.split('/').at(-1) }))
  }
  return (
    <div className="mt-3 flex flex-wrap gap-2">
      <Button icon={Download} busy={download.isBusy} onClick={download.start}>
        {download.isBusy ? words.downloading : words.download}
      </Button>
      {text === undefined ? null : (
        <Button icon={Pencil} onClick={() => setOpen('edit')}>
          {words.editText}
        </Button>
      )}
      <Button
        variant="danger"
        icon={Trash2}
        onClick={() => direct.act('delete_file', { path: entry.path }, words.deleted)}
      >
        {words.delete}
      </Button>
      <Menu
        label={words.moreActions}
        variant="plain"
        items={[
          { label: words.rename, icon: Pencil, run: () => setOpen('rename') },
          { label: words.move, icon: FolderInput, run: () => setOpen('move') },
          isOutside
            ? { label: words.trust, detail: words.trustDetail, icon: Shield, run: () => trust(true) }
            : {
                label: words.distrust,
                detail: words.distrustDetail,
                icon: ShieldAlert,
                run: () => trust(false),
              },
        ]}
      />
      {open === 'edit' && text !== undefined ? (
        <TextFileDialog here={folderOf(entry.path)} entry={entry} text={text} onClose={close} />
      ) : null}
      {open === 'rename' || open === 'move' ? (
        <MoveDialog entry={entry} what={open} onClose={close} onMoved={moved} />
      ) : null}
    </div>
  )
}

function useDownload({ path, name }: WorkspaceEntry) {
  const client = useClient()
  const notify = useNotify()
  const [isBusy, setBusy] = useState(false)
  const start = () => {
    setBusy(true)
    fetchFile(client, path, { most: largestDownload, changed: words.changedMeanwhile })
      .then(({ bytes }) => saveFile(new Blob([bytes], { type: 'application/octet-stream' }), name))
      .catch((error: unknown) => notify({ text: String(error), tone: 'bad' }))
      .finally(() => setBusy(false))
  }
  return { isBusy, start }
}

function useTrust(path: string): (trusted: boolean) => void {
  const notify = useNotify()
  const change = useChange(
    async (client, trusted: boolean) => (trusted ? client.trustFile(path) : client.distrustFile(path)),
    [['files']],
  )
  return (trusted) =>
    change.mutate(trusted, {
      onSuccess: ({ ledger }) => notify({ text: (trusted ? words.trusted : words.distrusted)(ledger) }),
      onError: (error) => notify({ text: error.message, tone: 'bad' }),
    })
}
