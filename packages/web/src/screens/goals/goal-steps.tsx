/** The steps of a goal: ticked, added, moved, renamed, skipped and removed where they stand. */
import { type StepStatus, type StepView, stepsInOrder } from '@countersign/contract'
import { ArrowDown, ArrowUp, Ellipsis, Pencil, Plus, SkipForward, Trash2 } from 'lucide-react'
import { type SubmitEvent, useState } from 'react'
import {
  type Acting,
  Button,
  classes,
  FormDialog,
  Menu,
  Safe,
  Sheet,
  TextField,
  useAct,
  useForm,
} from '../../kit/index.ts'
import { words as common } from '../../words/common.ts'
import { words } from '../../words/goals.tsx'

export function GoalSteps({
  goal,
  steps: unordered,
  onSuggest,
}: {
  goal: string
  steps: readonly StepView[]
  /** Asks the assistant for steps. */
  onSuggest: () => void
}) {
  const acting = useAct([['goals']])
  const steps = stepsInOrder(unordered)
  const [renamed, setRenamed] = useState<StepView | null>(null)
  return (
    <>
      <Sheet padded={false}>
        {steps.length === 0 ? <NoSteps onSuggest={onSuggest} /> : null}
        <ol>
          {steps.map((step, place) => (
            <StepRow
              key={step.id}
              step={step}
              acting={acting}
              onRename={() => setRenamed(step)}
              onMove={(by) => void acting.act((client) => moved(client, goal, steps, place, by))}
            />
          ))}
        </ol>
        <AddStep goal={goal} acting={acting} />
      </Sheet>
      {renamed === null ? null : (
        <RenameDialog step={renamed} acting={acting} onClose={() => setRenamed(null)} />
      )}
    </>
  )
}

function NoSteps({ onSuggest }: { onSuggest: () => void }) {
  return (
    <div className="flex flex-wrap items-center gap-3 px-4 pt-3 text-ink-2">
      <p className="min-w-0 flex-1">{words.step.none}</p>
      <Button onClick={onSuggest}>{words.step.suggest}</Button>
    </div>
  )
}

/** Two steps change places; where several had the same place, each gets its own. */
async function moved(
  client: Parameters<Parameters<Acting['act']>[0]>[0],
  goal: string,
  steps: readonly StepView[],
  place: number,
  by: -1 | 1,
): Promise<void> {
  const next = [...steps]
  const [step] = next.splice(place, 1)
  if (step === undefined) return
  next.splice(place + by, 0, step)
  for (const [order, each] of next.entries())
    if (each.order !== order) await client.setGoalStep(goal, each.id, { order })
}

function StepRow({
  step,
  acting,
  onRename,
  onMove,
}: {
  step: StepView
  acting: Acting
  onRename: () => void
  onMove: (by: -1 | 1) => void
}) {
  const { id, goalId, title, status } = step
  const set = (next: StepStatus) =>
    void acting.act((client) => client.setGoalStep(goalId, id, { status: next }))
  const isDone = status === 'completed'
  return (
    <li className="flex items-center gap-1 border-b border-line ps-4 pe-1.5">
      <label className="target flex min-w-0 flex-1 items-center gap-3 py-2">
        <input
          type="checkbox"
          checked={isDone}
          disabled={acting.isBusy}
          aria-label={words.step.tick(title)}
          onChange={() => set(isDone ? 'pending' : 'completed')}
          className="size-4 shrink-0 accent-act"
        />
        <Safe
          text={title}
          className={classes('min-w-0 flex-1', (isDone || status === 'skipped') && 'text-ink-3 line-through')}
        />
      </label>
      <span className="text-small whitespace-nowrap text-ink-3">
        {status === 'pending' && step.ready ? words.nextStep : words.stepStates[status]}
      </span>
      <Menu
        label={
          <>
            <Ellipsis size={16} aria-hidden />
            <span className="sr-only">{words.step.more(title)}</span>
          </>
        }
        items={[
          { label: common.rename, icon: Pencil, run: onRename },
          { label: words.step.up, icon: ArrowUp, run: () => onMove(-1) },
          { label: words.step.down, icon: ArrowDown, run: () => onMove(1) },
          {
            label: status === 'skipped' ? words.step.unskip : words.step.skip,
            icon: SkipForward,
            run: () => set(status === 'skipped' ? 'pending' : 'skipped'),
          },
          { label: words.step.remove, icon: Trash2, run: () => remove(step, acting) },
        ]}
      />
    </li>
  )
}

/** What was removed comes back at its place, as it was. */
function remove({ id, goalId, title, status, order }: StepView, { act }: Acting): void {
  void act(
    (client) => client.removeGoalStep(goalId, id),
    words.said.stepRemoved,
    async (client) => {
      const { step } = await client.addGoalStep(goalId, { title })
      await client.setGoalStep(goalId, step.id, { order, status })
    },
  )
}

function AddStep({ goal, acting }: { goal: string; acting: Acting }) {
  const [title, setTitle] = useState('')
  const add = async (event: SubmitEvent) => {
    event.preventDefault()
    const given = title.trim()
    if (given === '' || acting.isBusy) return
    if (await acting.act((client) => client.addGoalStep(goal, { title: given }))) setTitle('')
  }
  return (
    <form onSubmit={(event) => void add(event)} className="flex items-end gap-2 px-4 py-2.5">
      <div className="min-w-0 flex-1">
        <TextField
          label={words.step.new}
          hideLabel
          placeholder={words.step.new}
          maxLength={500}
          value={title}
          onChange={(event) => setTitle(event.target.value)}
        />
      </div>
      <Button type="submit" icon={Plus} disabled={title.trim() === ''} className="whitespace-nowrap">
        {words.step.add}
      </Button>
    </form>
  )
}

function RenameDialog({ step, acting, onClose }: { step: StepView; acting: Acting; onClose: () => void }) {
  const form = useForm({ title: step.title }, ({ title }) => ({
    title: title.trim() === '' ? words.step.nameProblem : undefined,
  }))
  const save = () =>
    acting.perform((client) => client.setGoalStep(step.goalId, step.id, { title: form.values.title.trim() }))
  return (
    <FormDialog
      size="small"
      title={words.step.rename}
      form={form}
      submit={common.rename}
      onSubmit={save}
      onClose={onClose}
    >
      <TextField label={words.step.name} maxLength={500} {...form.field('title')} />
    </FormDialog>
  )
}
