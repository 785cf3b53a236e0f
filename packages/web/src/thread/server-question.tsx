/**
 * A question of a server: named, marked as a stranger's, its words behind a bar. It looks like no card of ours, and nothing
 * of it is sent before the operator says so.
 */
import {
  type FieldValue,
  forDisplay,
  presetsOf,
  problemWithAnswers,
  type QuestionEnd,
  type QuestionReply,
  type ServerAnswers,
  type ServerField,
  type ServerQuestion,
} from '@countersign/contract'
import { Unplug } from 'lucide-react'
import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { useChange } from '../environment/queries.ts'
import { Button, Checkbox, Mono, SafeBlock, Select, TextField } from '../kit/index.ts'
import { words } from '../words/chat.tsx'

export function ServerQuestionForm({
  id,
  run,
  question,
  online = true,
}: {
  id: string
  run: string
  question: ServerQuestion
  online?: boolean
}) {
  const { server, tool, form } = question
  const [values, setValues] = useState<ServerAnswers>(() => presetsOf(form))
  const [problem, setProblem] = useState<string>()
  const change = useChange(
    (client, reply: QuestionReply) => client.reply(id, reply),
    [['questions'], ['run', run]],
  )
  const isHeld = change.isPending || !online
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const wrong = problemWithAnswers(form, values)
    setProblem(wrong)
    if (wrong === undefined && !isHeld) change.mutate({ action: 'accept', values })
  }
  return (
    <Framed server={server} aside={words.thread.serverAside(<Mono text={server} />, <Mono text={tool} />)}>
      <form onSubmit={submit}>
        <div
          className="my-3 space-y-3 border-s-4 border-edge ps-3"
          role="group"
          aria-label={words.thread.serverWords}
        >
          <SafeBlock text={form.message} className="break-words" />
          {form.fields.map((field) => (
            <FieldInput
              key={field.name}
              field={field}
              value={values[field.name]}
              onChange={(value) => setValues((before) => changed(before, field.name, value))}
            />
          ))}
        </div>
        {problem === undefined && change.error === null ? null : (
          <p role="alert" className="mb-2 font-medium text-bad">
            {problem === undefined ? change.error?.message : forDisplay(problem).text}
          </p>
        )}
        <div className="flex flex-wrap gap-2">
          <Button type="submit" busy={change.isPending} disabled={isHeld}>
            {words.thread.sendTo(server)}
          </Button>
          <Button disabled={isHeld} onClick={() => change.mutate({ action: 'decline' })}>
            {words.thread.decline}
          </Button>
          <Button variant="quiet" disabled={isHeld} onClick={() => change.mutate({ action: 'cancel' })}>
            {words.thread.dismiss}
          </Button>
        </div>
      </form>
    </Framed>
  )
}

export function EndedServerQuestion({
  server,
  text,
  how,
}: {
  server: string
  text: string
  how: QuestionEnd | undefined
}) {
  return (
    <Framed server={server}>
      <SafeBlock text={text} className="my-2 border-s-4 border-line-strong ps-3 break-words" />
      <p className="text-small text-ink-2">
        {how === undefined ? words.thread.notAnswered : words.thread.serverEnds[how]}
      </p>
    </Framed>
  )
}

function Framed({ server, aside, children }: { server: string; aside?: ReactNode; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="rounded-2 border border-dashed border-edge bg-well px-4 py-3">
      <p id={id} className="flex items-center gap-2 font-medium">
        <Unplug aria-hidden className="size-4 shrink-0 text-ink-2" />
        <span className="min-w-0 break-words">{words.thread.serverAsks(<Mono text={server} />)}</span>
      </p>
      {aside === undefined ? null : <p className="mt-1 text-small text-ink-2">{aside}</p>}
      {children}
    </section>
  )
}

interface FieldInputProps<Field extends ServerField = ServerField> {
  readonly field: Field
  readonly value: FieldValue | undefined
  readonly onChange: (value: FieldValue | undefined) => void
}

function FieldInput({ field, value, onChange }: FieldInputProps) {
  const common = {
    label: labelOf(field),
    ...(field.description === ''
      ? {}
      : { hint: <SafeBlock text={field.description} className="break-words" /> }),
  }
  switch (field.kind) {
    case 'text':
      return (
        <TextField
          {...common}
          type={inputTypes[field.format ?? 'none']}
          autoComplete="off"
          maxLength={field.most}
          value={typeof value === 'string' ? value : ''}
          onChange={(event) => onChange(event.target.value === '' ? undefined : event.target.value)}
        />
      )
    case 'number':
      return (
        <TextField
          {...common}
          type="number"
          step={field.whole ? 1 : 'any'}
          autoComplete="off"
          {...(field.least === null ? {} : { min: field.least })}
          {...(field.most === null ? {} : { max: field.most })}
          value={typeof value === 'number' ? String(value) : ''}
          onChange={(event) => onChange(event.target.value === '' ? undefined : Number(event.target.value))}
        />
      )
    case 'boolean':
      return (
        <Select
          {...common}
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
      return (
        <Select
          {...common}
          options={[
            ['', words.thread.noChoice],
            ...field.choices.map(({ label }, at): [string, string] => [String(at), shown(label)]),
          ]}
          value={String(field.choices.findIndex((each) => each.value === value)).replace('-1', '')}
          onChange={(event) => onChange(field.choices[Number(event.target.value || '-1')]?.value)}
        />
      )
    case 'choices':
      return <ChoicesInput field={field} value={value} onChange={onChange} />
  }
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

function changed(before: ServerAnswers, name: string, value: FieldValue | undefined): ServerAnswers {
  const { [name]: _, ...rest } = before
  return value === undefined ? rest : { ...rest, [name]: value }
}
