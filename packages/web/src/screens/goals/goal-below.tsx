/** What belongs to a goal from below: its subgoals, and the tasks that agents do for it. */
import { type AgentTaskView, endedTaskStates, type GoalDetail } from '@countersign/contract'
import { Button, Chip, Link, Safe, Section, Sheet, useAct } from '../../kit/index.ts'
import { words } from '../../words/goals.tsx'

export function GoalBelow({ detail: { subGoals, tasks } }: { detail: GoalDetail }) {
  if (subGoals.length + tasks.length === 0) return null
  return (
    <Section title={words.below}>
      <Sheet padded={false}>
        {subGoals.map(({ id, title, progress }) => (
          <div key={id} className="flex items-center gap-3 border-b border-line px-4 py-2 last:border-b-0">
            <Link to={`/goals/${id}`} className="min-w-0 flex-1">
              <Safe text={title} />
            </Link>
            <span className="text-small text-ink-3">{words.done(progress)}</span>
          </div>
        ))}
        {tasks.map((task) => (
          <TaskRow key={task.id} task={task} />
        ))}
      </Sheet>
    </Section>
  )
}

function TaskRow({ task }: { task: AgentTaskView }) {
  const { isBusy, act } = useAct([['goals']])
  const { id, status, title, run } = task
  return (
    <div className="flex flex-wrap items-center gap-3 border-b border-line px-4 py-2 last:border-b-0">
      {run === null ? (
        <Safe text={title} className="min-w-0 flex-1" />
      ) : (
        <Link to={`/activity/${run}`} className="min-w-0 flex-1">
          <Safe text={title} />
        </Link>
      )}
      <Chip tone={status === 'failed' ? 'bad' : 'plain'}>{words.tasks.status[status]}</Chip>
      {status === 'failed' || status === 'paused' ? (
        <Button
          size="small"
          busy={isBusy}
          onClick={() => void act((client) => client.retryAgentTask(id), words.tasks.retried)}
        >
          {words.tasks.retry}
        </Button>
      ) : null}
      {endedTaskStates.includes(status) ? null : (
        <Button
          size="small"
          busy={isBusy}
          onClick={() => void act((client) => client.cancelAgentTask(id), words.tasks.cancelled)}
        >
          {words.tasks.cancel}
        </Button>
      )}
    </div>
  )
}
