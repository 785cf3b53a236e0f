/** The window in which a goal is added or edited. */
import type { GoalView } from '@countersign/contract'
import { useGateway } from '../../environment/queries.ts'
import { useRoute } from '../../environment/route.ts'
import { FormDialog, Select, TextArea, TextField, useAct, useForm } from '../../kit/index.ts'
import { words as common } from '../../words/common.ts'
import { words } from '../../words/goals.tsx'

interface Values {
  readonly title: string
  readonly description: string
  readonly due: string
  readonly priority: string
  readonly parent: string
}

const priorities = Object.entries(words.form.priorities)

export function AddGoalDialog({
  title = '',
  parent = '',
  onClose,
}: {
  title?: string | undefined
  parent?: string | undefined
  onClose: () => void
}) {
  const route = useRoute()
  const { perform } = useAct([['goals']])
  const form = useGoalForm({ title, description: '', due: '', priority: '5', parent })
  const add = () =>
    perform(async (client) => {
      const { description, due, priority, ...values } = form.values
      const { goal } = await client.addGoal({
        title: values.title.trim(),
        priority: Number(priority),
        ...(description.trim() === '' ? {} : { description }),
        ...(due === '' ? {} : { due }),
        ...(values.parent === '' ? {} : { parentId: values.parent }),
      })
      route.go(route.href([goal.id]))
    }, words.said.added(form.values.title.trim()))
  return (
    <FormDialog
      title={words.form.addTitle}
      form={form}
      submit={words.actions.add}
      onSubmit={add}
      onClose={onClose}
    >
      <GoalFields form={form} />
    </FormDialog>
  )
}

export function EditGoalDialog({ goal, onClose }: { goal: GoalView; onClose: () => void }) {
  const { perform } = useAct([['goals']])
  const before = {
    title: goal.title,
    description: goal.description ?? '',
    // A moment keeps its day here, and its time only as long as the day stays.
    due: goal.due?.slice(0, 10) ?? '',
    priority: String(goal.priority),
    parent: goal.parentId ?? '',
  }
  const form = useGoalForm(before)
  const save = () => {
    const { title, description, due, priority, parent } = form.values
    return perform(
      (client) =>
        client.setGoal(goal.id, {
          title: title.trim(),
          description: description.trim() === '' ? null : description,
          priority: Number(priority),
          parentId: parent === '' ? null : parent,
          ...(due === before.due ? {} : { due: due === '' ? null : due }),
        }),
      words.said.changed,
    )
  }
  return (
    <FormDialog
      title={words.form.editTitle}
      form={form}
      submit={common.save}
      onSubmit={save}
      onClose={onClose}
    >
      <GoalFields form={form} self={goal.id} />
    </FormDialog>
  )
}

function useGoalForm(initial: Values) {
  return useForm(initial, ({ title }) => ({
    title: title.trim() === '' || title.includes('\n') ? words.form.titleProblem : undefined,
  }))
}

function GoalFields({ form, self }: { form: ReturnType<typeof useGoalForm>; self?: string }) {
  const goals = useGateway(['goals', 'open'], (client) => client.goals())
  const others = (goals.data ?? []).filter(({ id }) => id !== self)
  return (
    <>
      <TextField label={words.form.title} maxLength={300} required {...form.field('title')} />
      <TextArea
        label={words.form.description}
        hint={words.form.descriptionHint}
        {...form.field('description')}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField type="date" label={words.form.due} {...form.field('due')} />
        <Select label={words.form.priority} options={priorities} {...form.field('priority')} />
      </div>
      {others.length === 0 ? null : (
        <Select
          label={words.form.parent}
          options={[['', words.form.noParent], ...others.map(({ id, title }) => [id, title] as const)]}
          {...form.field('parent')}
        />
      )}
    </>
  )
}
