/** The window in which a record is added or changed: a control for each of its fields. */
import type { RecordView } from '@countersign/contract'
import { useDirectCalls } from '../../deciding/use-direct-call.ts'
import { Checkbox, type Form, FormDialog, Select, TextArea, TextField, useForm } from '../../kit/index.ts'
import { words } from '../../words/library.tsx'
import type { RecordField, RecordKind } from './kinds.ts'
import { addedArgs, changedArgs, formValues, type RecordValues } from './values.ts'

export function RecordDialog({
  kind,
  record,
  begin = {},
  onClose,
}: {
  kind: RecordKind
  /** What is changed; a new one where there is none. */
  record?: RecordView | undefined
  begin?: Readonly<Record<string, unknown>>
  onClose: () => void
}) {
  const direct = useDirectCalls('library')
  const data = record?.data ?? begin
  const form = useForm<RecordValues>(formValues(kind.fields, data), (values) =>
    problemsOf(kind.fields, values),
  )
  const { add, change, id } = kind.tools
  const kindWord = words.one[kind.name]
  return (
    <FormDialog
      title={record === undefined ? words.addTitle[kind.name] : words.editTitle[kind.name]}
      submit={record === undefined ? words.add : words.save}
      form={form}
      disabled={record !== undefined && !form.isChanged}
      onClose={onClose}
      onSubmit={() =>
        record === undefined
          ? direct.call(add, addedArgs(kind.fields, form.values), words.added(kindWord))
          : direct.call(
              change,
              { [id]: record.id, ...changedArgs(kind.fields, data, form.values) },
              words.changed(kindWord),
            )
      }
    >
      <div className="space-y-3">
        {kind.fields.map((field) => (
          <RecordControl key={field.name} field={field} form={form} />
        ))}
      </div>
    </FormDialog>
  )
}

export function RecordControl({ field, form }: { field: RecordField; form: Form<RecordValues> }) {
  const { name, label, kind } = field
  const control = form.field(name as never)
  if (kind === 'truth')
    return (
      <div>
        <Checkbox label={label} {...form.tick(name as never)} />
      </div>
    )
  if (kind === 'prose' || kind === 'markdown')
    return <TextArea label={label} rows={kind === 'markdown' ? 10 : 3} {...control} />
  if (typeof kind === 'object')
    return (
      <Select label={label} options={kind.map((value) => [value, optionWord(value)] as const)} {...control} />
    )
  const type = {
    line: 'text',
    amount: 'text',
    tags: 'text',
    number: 'number',
    day: 'date',
    time: 'datetime-local',
  }[kind]
  return (
    <TextField
      label={label}
      type={type}
      {...(kind === 'number' ? { step: 'any' } : {})}
      {...(kind === 'amount' ? { hint: words.amountHint, inputMode: 'decimal' as const } : {})}
      {...(kind === 'tags' ? { hint: words.tagsHint } : {})}
      {...control}
    />
  )
}

const optionWord = (value: string) =>
  (({ ...words.priorities, ...words.categories }) as Readonly<Record<string, string>>)[value] ?? value

export function problemsOf(fields: readonly RecordField[], values: RecordValues) {
  return Object.fromEntries(
    fields
      .filter(({ required, name }) => required === true && String(values[name] ?? '').trim() === '')
      .map(({ name, label }) => [name, words.needs(label)]),
  )
}
