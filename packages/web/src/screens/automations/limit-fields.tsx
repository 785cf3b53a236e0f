/** What one run of an automation may cost and do. */
import { type Form, Select, TextField } from '../../kit/index.ts'
import { words } from '../../words/automations.tsx'
import { words as common } from '../../words/common.ts'

export interface RunLimitValues {
  readonly cost: string
  readonly tier: string
}

const tiers = [0, 1, 2, 3, 4] as const

export function costProblem(cost: string): string | undefined {
  const amount = Number(cost)
  const isGood = cost.trim() !== '' && Number.isFinite(amount) && amount >= 0 && amount <= 1_000
  return isGood ? undefined : words.form.costProblem
}

export function LimitFields({ form }: { form: Pick<Form<RunLimitValues>, 'field'> }) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <TextField label={words.form.cost} inputMode="decimal" {...form.field('cost')} />
      <Select
        label={words.form.tier}
        options={tiers.map((tier) => [String(tier), common.tier.names[tier]] as const)}
        {...form.field('tier')}
      />
    </div>
  )
}
