/** The windows that make a folder or a text, and that give a file another name or place. */
import type { WorkspaceEntry } from '@countersign/contract'
import { useDirectCalls } from '../../deciding/use-direct-call.ts'
import { FormDialog, TextArea, TextField, useForm } from '../../kit/index.ts'
import { words } from '../../words/files.tsx'
import { folderOf, isName, isPath, pathIn } from './paths.ts'

const nameProblem = (name: string) => (isName(name.trim()) ? undefined : words.nameRule)

export function FolderDialog({ here, onClose }: { here: string; onClose: () => void }) {
  const direct = useDirectCalls('files')
  const form = useForm({ name: '' }, ({ name }) => ({ name: nameProblem(name) }))
  return (
    <FormDialog
      title={words.newFolder}
      submit={words.create}
      form={form}
      onClose={onClose}
      onSubmit={() =>
        direct.call('create_folder', { path: pathIn(here, form.values.name.trim()) }, words.folderMade)
      }
    >
      <TextField label={words.name} {...form.field('name')} />
    </FormDialog>
  )
}

export function TextFileDialog({
  here,
  entry,
  text = '',
  onClose,
}: {
  here: string
  /** The file that is changed; a new one where there is none. */
  entry?: WorkspaceEntry
  text?: string
  onClose: () => void
}) {
  const direct = useDirectCalls('files')
  const form = useForm({ name: entry?.name ?? '', text }, ({ name }) => ({ name: nameProblem(name) }))
  const path = entry?.path ?? pathIn(here, form.values.name.trim())
  return (
    <FormDialog
      title={entry === undefined ? words.newFile : words.editText}
      size="large"
      submit={words.save}
      form={form}
      disabled={!form.isChanged}
      onClose={onClose}
      onSubmit={() => direct.call('write_file', { path, content: form.values.text }, words.saved)}
    >
      <div className="space-y-3">
        {entry === undefined ? <TextField label={words.name} {...form.field('name')} /> : null}
        <TextArea label={words.text} rows={16} className="font-mono" {...form.field('text')} />
      </div>
    </FormDialog>
  )
}

/** Another name in the same folder, or another folder. */
export function MoveDialog({
  entry,
  what,
  onClose,
  onMoved,
}: {
  entry: Pick<WorkspaceEntry, 'name' | 'path'>
  what: 'rename' | 'move'
  onClose: () => void
  onMoved: (path: string) => void
}) {
  const direct = useDirectCalls('files')
  const folder = folderOf(entry.path)
  const form = useForm({ name: entry.name, folder }, ({ name, folder: to }) => ({
    name: nameProblem(name),
    folder: isPath(to.trim()) ? undefined : words.pathRule,
  }))
  const destination = pathIn(form.values.folder.trim(), form.values.name.trim())
  return (
    <FormDialog
      title={what === 'rename' ? words.rename : words.move}
      submit={what === 'rename' ? words.rename : words.move}
      form={form}
      disabled={!form.isChanged}
      onClose={onClose}
      onSubmit={async () => {
        const outcome = await direct.call(
          'move_file',
          { source: entry.path, destination },
          words.moved(destination),
        )
        if (outcome.kind === 'done') onMoved(destination)
      }}
    >
      {what === 'rename' ? (
        <TextField label={words.name} {...form.field('name')} />
      ) : (
        <TextField label={words.toFolder} hint={words.toFolderHint} {...form.field('folder')} />
      )}
    </FormDialog>
  )
}
