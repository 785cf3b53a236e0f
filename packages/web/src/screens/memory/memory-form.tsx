/** What a person fills in of a memory, to add one or to change it. */
import { type AddMemory, MemoryType, type MemoryView } from '@countersign/contract'
import { useChange } from '../../environment/queries.ts'
import {
  Checkbox,
  type Form,
  FormDialog,
  Select,
  TextArea,
  TextField,
  useForm,
  useNotify,
} from '../../kit/index.ts'
import { words } from '../../words/memory.tsx'

interface MemoryValues {
  readonly content: string
  readonly type: string
  readonly importance: string
  readonly tags: string
  readonly pinned: boolean
  readonly keepOld: boolean
}

const empty: MemoryValues = {
  content: '',
  type: 'fact',
  importance: '0.5',
  tags: '',
  pinned: false,
  keepOld: false,
}

const problemsOf = ({ content }: MemoryValues) => ({
  content: content.trim() === '' ? words.form.needsContent : undefined,
})

export function AddMemoryDialog({
  onClose,
  onAdded,
}: {
  onClose: () => void
  onAdded: (id: string) => void
}) {
  const notify = useNotify()
  const form = useForm(empty, problemsOf)
  const add = useChange((client, memory: AddMemory) => client.addMemory(memory), [['memories']])
  return (
    <FormDialog
      title={words.form.addTitle}
      description={words.form.addDescription}
      submit={words.add}
      form={form}
      onClose={onClose}
      onSubmit={async () => {
        const { memory, raised, ledger } = await add.mutateAsync(fieldsOf(form.values))
        notify({ text: (raised ? words.raised : words.added)(ledger) })
        onAdded(memory.id)
      }}
    >
      <MemoryFields form={form} />
    </FormDialog>
  )
}

export function EditMemoryDialog({
  memory,
  onClose,
  onChanged,
}: {
  memory: MemoryView
  onClose: () => void
  onChanged: (id: string) => void
}) {
  const notify = useNotify()
  const { content, type, importance, tags, pinned } = memory
  const form = useForm<MemoryValues>(
    { content, type, importance: String(importance), tags: tags.join(', '), pinned, keepOld: true },
    problemsOf,
  )
  const change = useChange(
    async (client, values: MemoryValues) => {
      const { content: text, ...rest } = fieldsOf(values)
      const isOther = text !== memory.content
      const corrects = isOther && values.keepOld
      const corrected = corrects ? await client.correctMemory(memory.id, text) : undefined
      return client.editMemory(corrected?.memory.id ?? memory.id, {
        ...rest,
        ...(corrects ? {} : { content: text }),
      })
    },
    [['memories']],
  )
  return (
    <FormDialog
      title={words.form.editTitle}
      submit={words.form.save}
      form={form}
      onClose={onClose}
      onSubmit={async () => {
        const changed = await change.mutateAsync(form.values)
        notify({ text: words.changed(changed.ledger) })
        onChanged(changed.memory.id)
      }}
    >
      <MemoryFields form={form} />
      <Checkbox label={words.form.keepOld} {...form.tick('keepOld')} />
    </FormDialog>
  )
}

function MemoryFields({ form }: { form: Form<MemoryValues> }) {
  return (
    <div className="space-y-3">
      <TextArea label={words.form.content} rows={3} {...form.field('content')} />
      <Select
        label={words.form.type}
        options={MemoryType.options.map((type) => [type, words.types[type]] as const)}
        {...form.field('type')}
      />
      <TextField label={words.form.tags} hint={words.form.tagsHint} {...form.field('tags')} />
      <TextField
        label={words.form.importance}
        hint={words.form.importanceHint}
        type="range"
        min="0"
        max="1"
        step="0.05"
        {...form.field('importance')}
      />
      <Checkbox label={words.form.pin} {...form.tick('pinned')} />
    </div>
  )
}

function fieldsOf({ content, type, importance, tags, pinned }: MemoryValues) {
  return {
    content: content.trim(),
    type: MemoryType.parse(type),
    importance: Number(importance),
    tags: tags
      .split(',')
      .map((tag) => tag.trim())
      .filter((tag) => tag !== ''),
    pinned,
  } satisfies AddMemory
}
