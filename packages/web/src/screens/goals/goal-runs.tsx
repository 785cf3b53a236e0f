/** The runs that worked for a goal, and what they cost. */
import type { GoalView, RunView } from '@countersign/contract'
import { useRuns } from '../../environment/queries.ts'
import { Chip, Loaded, Money, PlainLink, Safe, Section, Sheet, Time } from '../../kit/index.ts'
import { runTone } from '../../thread/run-tone.ts'
import { words as common } from '../../words/common.ts'
import { words } from '../../words/goals.tsx'
import { runWord } from '../activity/run-word.ts'

const most = 8

export function GoalRuns({ goal }: { goal: GoalView }) {
  const runs = useRuns()
  const own = (runs.data ?? []).filter((run) => run.goal === goal.id || run.session === goal.session)
  return (
    <Section
      title={words.runs.title}
      aside={
        own.length === 0
          ? undefined
          : words.runs.spent(<Money usd={own.reduce((sum, { costUsd }) => sum + costUsd, 0)} />, own.length)
      }
    >
      <Loaded
        query={runs}
        isEmpty={() => own.length === 0}
        empty={<p className="text-ink-3">{words.runs.none}</p>}
      >
        {() => (
          <Sheet padded={false}>
            {own.slice(0, most).map((run) => (
              <RunRow key={run.id} run={run} />
            ))}
          </Sheet>
        )}
      </Loaded>
    </Section>
  )
}

function RunRow({ run }: { run: RunView }) {
  const word = runWord(run)
  return (
    <PlainLink
      to={`/activity/${run.id}`}
      className="target flex flex-wrap items-center gap-x-3 gap-y-0.5 border-b border-line px-4 py-2 last:border-b-0 hover:bg-ink/5"
    >
      <Safe text={run.asked} className="min-w-40 flex-1 truncate" />
      <span className="flex items-center gap-3 text-small text-ink-3">
        <Chip tone={runTone(word)}>{common.runState[word]}</Chip>
        <Money usd={run.costUsd} />
        <Time at={run.startedAt} />
      </span>
    </PlainLink>
  )
}
