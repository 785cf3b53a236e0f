/** A plan as text: pasted in, or edited. */
import { AddPlan, type PlanView } from '@countersign/contract'
import { useRoute } from '../../../environment/route.ts'
import { FormDialog, TextArea, useAct, useForm } from '../../../kit/index.ts'
import { words as common } from '../../../words/common.ts'
import { words } from '../../../words/plans.tsx'

export function PlanTextDialog({ plan, onClose }: { plan?: PlanView | undefined; onClose: () => void }) {
  const route = useRoute()
  const { perform } = useAct([['plans']])
  const form = useForm({ text: plan === undefined ? '' : textOf(plan) }, ({ text }) => ({
    text: readPlan(text).problem,
  }))
  const save = () =>
    perform(async (client) => {
      const read = readPlan(form.values.text).plan
      if (read === undefined) return
      if (plan !== undefined) await client.changePlan(plan.id, { ...read, version: plan.version })
      else {
        const added = await client.addPlan(read)
        route.go(route.href(['plans', added.plan.id]))
      }
    }, words.said.saved)
  return (
    <FormDialog
      size="large"
      title={plan === undefined ? words.text.add : words.text.edit}
      form={form}
      submit={common.save}
      onSubmit={save}
      onClose={onClose}
    >
      <TextArea
        rows={18}
        spellCheck={false}
        dir="ltr"
        className="font-mono text-small"
        label={words.text.label}
        hint={words.text.hint}
        {...form.field('text')}
      />
    </FormDialog>
  )
}

function textOf({ name, goal, steps, goalId }: PlanView): string {
  return JSON.stringify({ name, goal, steps, goalId }, null, 2)
}

export function readPlan(text: string): { readonly plan?: AddPlan; readonly problem?: string } {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { problem: words.text.notJson }
  }
  const read = AddPlan.safeParse(value)
  if (read.success) return { plan: read.data }
  const places = read.error.issues.map(({ path }) => path.map(String).join('.'))
  return { problem: words.text.notPlan([...new Set(places)].slice(0, 5).join(', ')) }
}
