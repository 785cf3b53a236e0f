/** One field of a form that a server asks for. What it is called and what may be chosen are words of the server. */
import { type FieldValue, forDisplay, type ServerField } from '@countersign/contract'
import { Checkbox, SafeBlock, Select, TextField } from '../kit/index.ts'
import { words } from '../words/chat.tsx'

interface FieldInputProps<Field extends ServerField = ServerField> {
  readonly field: Field
  readonly value: FieldValue | undefined
  readonly onChange: (value: FieldValue | undefined) => void
}

export function FieldInput({ field, value, onChange }: FieldInputProps) {
  switch (field.kind) {
    case 'text':
      return <TextInput field={field} value={value} onChange={onChange} />
    case 'number':
      return <NumberInput field={field} value={value} onChange={onChange} />
    case 'boolean':
      return (
        <Select
          {...commonOf(field)}
          options={[
            ['', words.thread.noChoice],
            ['yes', words.thread.yes],
            ['no', words.thread.no],
          ]}
          value={value === undefined ? '' : value === true ? 'yes' : 'no'}
          onChange={(event) => onChange(event.target.value === '' ? undefined : event.target.value === 'yes')}
        />
      )
    case 'choice':
      return <ChoiceInput field={field} value={value} onChange={onChange} />
    case 'choices':
      return <ChoicesInput field={field} value={value} onChange={onChange} />
  }
}

function TextInput({ field, value, onChange }: FieldInputProps<Extract<ServerField, { kind: 'text' }>>) {
  return (
    <TextField
      {...commonOf(field)}
      type={inputTypes[field.format ?? 'none']}
      autoComplete="off"
      maxLength={field.most}
      value={typeof value === 'string' ? value : ''}
      onChange={(event) => onChange(event.target.value === '' ? undefined : event.target.value)}
    />
  )
}

function NumberInput({ field, value, onChange }: FieldInputProps<Extract<ServerField, { kind: 'number' }>>) {
  return (
    <TextField
      {...commonOf(field)}
      type="number"
      step={field.whole ? 1 : 'any'}
      autoComplete="off"
      {...(field.least === null ? {} : { min: field.least })}
      {...(field.most === null ? {} : { max: field.most })}
      value={typeof value === 'number' ? String(value) : ''}
      onChange={(event) => onChange(event.target.value === '' ? undefined : Number(event.target.value))}
    />
  )
}

function ChoiceInput({ field, value, onChange }: FieldInputProps<Extract<ServerField, { kind: 'choice' }>>) {
  const at = field.choices.findIndex((each) => each.value === value)
  const options = field.choices.map(({ label }, each): [string, string] => [String(each), shown(label)])
  return (
    <Select
      {...commonOf(field)}
      options={[['', words.thread.noChoice], ...options]}
      value={at === -1 ? '' : String(at)}
      onChange={(event) =>
        onChange(event.target.value === '' ? undefined : field.choices[Number(event.target.value)]?.value)
      }
    />
  )
}

function ChoicesInput({
  field,
  value,
  onChange,
}: FieldInputProps<Extract<ServerField, { kind: 'choices' }>>) {
  const picked = Array.isArray(value) ? value : []
  return (
    <fieldset>
      <legend className="mb-1 text-small font-medium text-ink-2">{labelOf(field)}</legend>
      <div className="flex flex-col items-start gap-1">
        {field.choices.map((choice) => (
          <Checkbox
            key={choice.value}
            label={shown(choice.label)}
            checked={picked.includes(choice.value)}
            onChange={(isPicked) => {
              const rest = picked.filter((each) => each !== choice.value)
              onChange(isPicked ? [...rest, choice.value] : rest)
            }}
          />
        ))}
      </div>
      {field.description === '' ? null : (
        <SafeBlock text={field.description} className="mt-1 text-small text-ink-3 break-words" />
      )}
    </fieldset>
  )
}

const inputTypes = {
  none: 'text',
  email: 'email',
  uri: 'url',
  date: 'date',
  'date-time': 'text',
} as const

function labelOf({ title, name, required }: ServerField): string {
  const label = shown(title === '' ? name : title)
  return required ? label : `${label} (${words.thread.optional})`
}

function shown(text: string): string {
  return forDisplay(text).text
}

function commonOf(field: ServerField) {
  const { description } = field
  return {
    label: labelOf(field),
    ...(description === '' ? {} : { hint: <SafeBlock text={description} className="break-words" /> }),
  }
}
