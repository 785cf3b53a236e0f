/** Lets the operator write the arguments themselves. What comes of it is judged anew and shown as a new request. */

import type { ApprovalDetail } from '@countersign/contract'
import { useMemo, useState } from 'react'
import { Button, Checkbox, Dialog, Safe, Select, TextArea, TextField } from '../../kit/index.ts'
import { words } from '../../words/approvals.tsx'
import { words as common } from '../../words/common.ts'
import { type ArgumentField, argumentsOf, fieldsOf, formValuesOf } from './arguments-form.ts'

export function EditDialog({
  detail,
  busy,
  problem,
  onClose,
  onSave,
}: {
  detail: ApprovalDetail
  busy: boolean
  /** What the gateway said of the last attempt. */
  problem: string | null
  onClose: () => void
  onSave: (args: string) => void
}) {
  const before = useMemo(() => JSON.parse(detail.args) as Record<string, unknown>, [detail.args])
  const fields = useMemo(() => fieldsOf(detail.schema, before), [detail.schema, before])
  const [typed, setTyped] = useState(() => formValuesOf(fields, before))
  const made = argumentsOf(fields, typed, before)
  const unchanged = made.kind === 'args' && made.args === JSON.stringify(before)
  return (
    <Dialog
      open
      onClose={onClose}
      title={words.edit.title}
      description={<Safe text={detail.approval.card.headline} />}
      size="medium"
      actions={
        <>
          <Button variant="quiet" onClick={onClose}>
            {common.back}
          </Button>
          <Button
            variant="go"
            busy={busy}
            disabled={made.kind === 'problem' || unchanged}
            onClick={() => {
              if (made.kind === 'args') onSave(made.args)
            }}
          >
            {busy ? words.edit.busy : words.edit.save}
          </Button>
        </>
      }
    >
      <div className="space-y-3">
        {fields.map((field) => (
          <ArgumentControl
            key={field.name}
            field={field}
            value={typed[field.name] ?? ''}
            problem={made.kind === 'problem' && made.name === field.name ? made.problem : undefined}
            onChange={(value) => setTyped((all) => ({ ...all, [field.name]: value }))}
          />
        ))}
        <p className="text-small text-ink-2">{words.edit.note}</p>
        {problem === null ? null : (
          <p role="alert" className="font-medium text-bad">
            {problem}
          </p>
        )}
      </div>
    </Dialog>
  )
}

function ArgumentControl({
  field: { name, kind, about, choices },
  value,
  problem,
  onChange,
}: {
  field: ArgumentField
  value: string | boolean
  problem: string | undefined
  onChange: (value: string | boolean) => void
}) {
  if (kind === 'flag') return <Checkbox label={name} checked={value === true} onChange={onChange} />
  const text = String(value)
  const shared = { label: name, problem, ...(about === '' ? {} : { hint: about }) }
  if (kind === 'choice')
    return (
      <Select
        {...shared}
        value={text}
        options={['', ...choices].map((choice) => [choice, choice === '' ? '—' : choice])}
        onChange={(event) => onChange(event.target.value)}
      />
    )
  if (kind === 'lines' || kind === 'json')
    return (
      <TextArea
        {...shared}
        className="font-mono"
        rows={Math.min(16, Math.max(3, text.split('\n').length + 1))}
        value={text}
        onChange={(event) => onChange(event.target.value)}
      />
    )
  return (
    <TextField
      {...shared}
      {...(kind === 'number' ? { inputMode: 'decimal' as const } : {})}
      value={text}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}
