/** What the list of runs is narrowed by. Each choice is in the address, so that it can be kept and sent. */

import type { RunView } from '@countersign/contract'
import { useRoute } from '../../environment/route.ts'
import { Checkbox, SearchField, Select } from '../../kit/index.ts'
import { moneyWords } from '../../language/format.ts'
import { words } from '../../words/activity.tsx'
import { words as common } from '../../words/common.ts'
import { costs, periods, type RunFilter, triggers } from './filters.ts'

const states = [
  'running',
  'waiting for you',
  'waiting for the provider',
  'done',
  'done with problems',
  'failed',
  'stopped by you',
  'over budget',
] as const

type Options = readonly [value: string, label: string][]

export function FilterBar({ runs, wanted }: { runs: readonly RunView[]; wanted: RunFilter }) {
  const route = useRoute()
  const { filter } = words
  const choices = choicesOf(runs)
  return (
    <div className="space-y-2 px-2 pb-2 md:px-5">
      <SearchField
        label={filter.search}
        value={wanted.words ?? ''}
        onChange={(typed) => route.ask({ words: typed || undefined })}
      />
      <details open={choices.some(([key]) => wanted[key] !== undefined)}>
        <summary className="target cursor-pointer text-small text-ink-2">{filter.title}</summary>
        <div className="mt-1 grid grid-cols-2 gap-2">
          {choices.map(([key, label, options]) => (
            <Select
              key={key}
              label={label}
              hideLabel
              value={wanted[key] ?? ''}
              options={[['', label], ...options]}
              onChange={(event) => route.ask({ [key]: event.target.value || undefined })}
            />
          ))}
        </div>
        <div className="mt-2">
          <Checkbox
            label={filter.internal}
            checked={wanted.internal !== undefined}
            onChange={(on) => route.ask({ internal: on ? '1' : undefined })}
          />
        </div>
      </details>
    </div>
  )
}

function choicesOf(
  runs: readonly RunView[],
): readonly [key: keyof RunFilter, label: string, options: Options][] {
  const { filter } = words
  const agents = [...new Set(runs.map(({ agent }) => agent))].toSorted()
  const tools = [...new Set(runs.flatMap((run) => run.tools))].toSorted()
  const named = (names: readonly string[]): Options => names.map((name) => [name, name])
  return [
    ['state', words.everyState, states.map((state) => [state, common.runState[state]])],
    ['since', filter.anyTime, periods.map((period) => [period, filter.periods[period]])],
    ['agent', filter.anyAgent, named(agents)],
    ['tool', filter.anyTool, named(tools)],
    ['by', filter.anyTrigger, triggers.map((by) => [by, filter.triggers[by]])],
    ['cost', filter.anyCost, costs.map((cost) => [cost, filter.atLeast(moneyWords(Number(cost)))])],
  ]
}
