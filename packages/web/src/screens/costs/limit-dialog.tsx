/** Owns the form of a limit: on what, how much, for how long, and what happens when it is reached. */
import { BudgetPeriod, BudgetScope, type BudgetView } from '@countersign/contract'
import { type FormEvent, useState } from 'react'
import { useChange } from '../../environment/queries.ts'
import { Button, Checkbox, Dialog, Select, TextField, useNotify } from '../../kit/index.ts'
import { moneyWords } from '../../language/format.ts'
import { words as common } from '../../words/common.ts'
import { words } from '../../words/costs.tsx'
import { amountIn } from './amount.ts'

const subjects: readonly BudgetScope[] = ['agent', 'goal', 'schedule', 'session']

export function LimitDialog({ budget, onClose }: { budget: BudgetView | null; onClose: () => void }) {
  const notify = useNotify()
  const [form, setForm] = useState(() => formOf(budget))
  const [tried, setTried] = useState(false)
  const save = useChange(
    (client, limitUsd: number) =>
      client.setBudget({
        scope: form.scope,
        subject: subjects.includes(form.scope) && form.subject.trim() !== '' ? form.subject.trim() : null,
        period: form.period,
        limitUsd,
        hard: form.hard,
      }),
    [['costs'], ['status']],
  )
  const amount = amountIn(form.amount)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (amount === undefined) return
    save.mutate(amount, {
      onSuccess: ({ ledger }) => {
        notify({ text: words.limit.saved(moneyWords(amount), ledger) })
        onClose()
      },
    })
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={budget === null ? words.limit.newTitle : words.limit.changeTitle}
      size="small"
      actions={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button variant="go" type="submit" form="limit" busy={save.isPending}>
            {common.save}
          </Button>
        </>
      }
    >
      <form id="limit" onSubmit={submit} className="space-y-3">
        <LimitFields
          form={form}
          onChange={(change) => setForm({ ...form, ...change })}
          isNew={budget === null}
          {...(tried && amount === undefined ? { problem: words.limit.noAmount } : {})}
        />
        {save.error === null ? null : (
          <p role="alert" className="text-small font-medium text-bad">
            {save.error.message}
          </p>
        )}
      </form>
    </Dialog>
  )
}

interface Form {
  readonly scope: BudgetScope
  readonly subject: string
  readonly period: BudgetPeriod
  readonly amount: string
  readonly hard: boolean
}

/** What a limit is on is its name, so that only a new one can choose it. */
function LimitFields({
  form,
  onChange,
  isNew,
  problem,
}: {
  form: Form
  onChange: (change: Partial<Form>) => void
  isNew: boolean
  problem?: string
}) {
  const hasPeriod = form.scope !== 'run' && form.scope !== 'call'
  return (
    <>
      <Select
        label={words.limit.on}
        value={form.scope}
        disabled={!isNew}
        onChange={(event) => onChange({ scope: BudgetScope.parse(event.target.value) })}
        options={BudgetScope.options.map((scope) => [scope, words.limit.scopes[scope]] as const)}
      />
      {subjects.includes(form.scope) ? (
        <TextField
          label={words.limit.subject}
          hint={words.limit.subjectHint}
          value={form.subject}
          disabled={!isNew}
          onChange={(event) => onChange({ subject: event.target.value })}
        />
      ) : null}
      {hasPeriod ? (
        <Select
          label={words.limit.period}
          value={form.period}
          disabled={!isNew}
          onChange={(event) => onChange({ period: BudgetPeriod.parse(event.target.value) })}
          options={BudgetPeriod.options.map((period) => [period, words.limit.periods[period]] as const)}
        />
      ) : null}
      <TextField
        label={words.limit.amount}
        inputMode="decimal"
        value={form.amount}
        onChange={(event) => onChange({ amount: event.target.value })}
        {...(problem === undefined ? {} : { problem })}
      />
      <Checkbox label={words.limit.hard} checked={form.hard} onChange={(hard) => onChange({ hard })} />
    </>
  )
}

function formOf(budget: BudgetView | null): Form {
  if (budget === null) return { scope: 'global', subject: '', period: 'month', amount: '', hard: true }
  const { scope, subject, period, limitUsd, hard } = budget
  return { scope, subject: subject ?? '', period, amount: String(limitUsd), hard }
}
