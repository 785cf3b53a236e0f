/** Says why nothing starts while work without the operator may cost nothing, and lets them set an amount. */
import { useState } from 'react'
import { useBudgets } from '../../environment/queries.ts'
import { Button, FormDialog, TextField, useAct, useForm } from '../../kit/index.ts'
import { moneyWords } from '../../language/format.ts'
import { words } from '../../words/automations.tsx'

export function MoneyNote() {
  const budgets = useBudgets()
  const [setting, setSetting] = useState(false)
  const own = budgets.data?.filter(({ scope, hard }) => scope === 'unattended' && hard)
  if (own === undefined || own.some(({ limitUsd, extraUsd }) => limitUsd + extraUsd > 0)) return null
  return (
    <div className="mb-3 rounded-2 bg-t2-soft px-3 py-2.5 text-small">
      <p>{words.noMoney.sentence}</p>
      <Button size="small" className="mt-2" onClick={() => setSetting(true)}>
        {words.noMoney.set}
      </Button>
      {setting ? <MoneyDialog onClose={() => setSetting(false)} /> : null}
    </div>
  )
}

function MoneyDialog({ onClose }: { onClose: () => void }) {
  const said = words.noMoney
  const { perform } = useAct([['costs'], ['schedules']])
  const form = useForm({ usd: '5' }, ({ usd }) => ({
    usd: Number.isFinite(Number(usd)) && Number(usd) > 0 ? undefined : said.problem,
  }))
  const save = () =>
    perform(
      (client) => client.setBudget({ scope: 'unattended', limitUsd: Number(form.values.usd) }),
      said.said(moneyWords(Number(form.values.usd))),
    )
  return (
    <FormDialog
      size="small"
      title={said.title}
      description={said.description}
      form={form}
      submit={said.set}
      onSubmit={save}
      onClose={onClose}
    >
      <TextField label={said.label} inputMode="decimal" {...form.field('usd')} />
    </FormDialog>
  )
}
