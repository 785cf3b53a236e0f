/** The windows that make a table, a column or a row. */
import { ColumnType, type TableColumn, type TableView } from '@countersign/contract'
import { useDirectCalls } from '../../deciding/use-direct-call.ts'
import { Checkbox, type Form, FormDialog, Select, TextField, useForm } from '../../kit/index.ts'
import { words } from '../../words/library.tsx'
import type { FieldKind, RecordField } from './kinds.ts'
import { problemsOf, RecordControl } from './record-dialog.tsx'
import { addedArgs, formValues, type RecordValues } from './values.ts'

interface ColumnValues {
  readonly table: string
  readonly name: string
  readonly type: string
  readonly options: string
  readonly unique: boolean
}

const emptyColumn: ColumnValues = { table: '', name: '', type: 'text', options: '', unique: false }

export function NewTableDialog({
  onClose,
  onMade,
}: {
  onClose: () => void
  onMade: (table: string) => void
}) {
  const direct = useDirectCalls('library')
  const form = useForm(emptyColumn, (values) => ({
    table: /^[a-z][a-z0-9_]{0,62}$/.test(values.table) ? undefined : words.tables.tableNameRule,
    name: columnProblem(values.name),
  }))
  return (
    <FormDialog
      title={words.tables.add}
      description={words.tables.addDescription}
      submit={words.add}
      form={form}
      onClose={onClose}
      onSubmit={async () => {
        const { table } = form.values
        const args = { table, columns: [columnOf(form.values)] }
        const outcome = await direct.call('create_custom_table', args, words.tables.made)
        if (outcome.kind === 'done') onMade(table)
      }}
    >
      <div className="space-y-3">
        <TextField
          label={words.tables.tableName}
          hint={words.tables.tableNameRule}
          {...form.field('table')}
        />
        <ColumnFields form={form} />
      </div>
    </FormDialog>
  )
}

export function NewColumnDialog({ table, onClose }: { table: TableView; onClose: () => void }) {
  const direct = useDirectCalls('library')
  const form = useForm(emptyColumn, ({ name }) => ({ name: columnProblem(name) }))
  return (
    <FormDialog
      title={words.tables.addColumn}
      submit={words.add}
      form={form}
      onClose={onClose}
      onSubmit={() =>
        direct.call(
          'add_custom_column',
          { table: table.table, column: columnOf(form.values) },
          words.tables.columnAdded,
        )
      }
    >
      <div className="space-y-3">
        <ColumnFields form={form} />
      </div>
    </FormDialog>
  )
}

export function NewRowDialog({ table, onClose }: { table: TableView; onClose: () => void }) {
  const direct = useDirectCalls('library')
  const fields = table.columns.map(fieldOf)
  const form = useForm<RecordValues>(formValues(fields, {}), (values) => problemsOf(fields, values))
  return (
    <FormDialog
      title={words.tables.addRow}
      submit={words.add}
      form={form}
      onClose={onClose}
      onSubmit={() =>
        direct.call(
          'add_custom_record',
          { table: table.table, data: addedArgs(fields, form.values) },
          words.tables.rowAdded,
        )
      }
    >
      <div className="space-y-3">
        {fields.map((field) => (
          <RecordControl key={field.name} field={field} form={form} />
        ))}
      </div>
    </FormDialog>
  )
}

function ColumnFields({ form }: { form: Form<ColumnValues> }) {
  return (
    <>
      <TextField label={words.tables.columnName} hint={words.tables.columnNameRule} {...form.field('name')} />
      <Select
        label={words.tables.columnType}
        options={ColumnType.options.map((type) => [type, words.tables.types[type]] as const)}
        {...form.field('type')}
      />
      {form.values.type === 'select' ? (
        <TextField label={words.tables.options} hint={words.tagsHint} {...form.field('options')} />
      ) : null}
      <Checkbox label={words.tables.unique} {...form.tick('unique')} />
    </>
  )
}

const columnProblem = (name: string) =>
  /^[a-zA-Z][a-zA-Z0-9_]{0,62}$/.test(name) ? undefined : words.tables.columnNameRule

function columnOf({ name, type, options, unique }: ColumnValues) {
  const chosen = options.split(',').flatMap((each) => (each.trim() === '' ? [] : each.trim()))
  return { name, type, ...(unique ? { unique } : {}), ...(type === 'select' ? { options: chosen } : {}) }
}

export function fieldOf({ name, type, options, required }: TableColumn): RecordField {
  return { name, label: name, kind: type === 'select' ? (options ?? []) : (kindOf[type] ?? 'line'), required }
}

const kindOf: Readonly<Record<string, FieldKind>> = {
  number: 'number',
  integer: 'number',
  boolean: 'truth',
  date: 'day',
  datetime: 'time',
  json: 'prose',
}
