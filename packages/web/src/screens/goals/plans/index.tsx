/** The plans beside the goals: steps in order, and where they stop for the operator. */
import { isPlanRunning, type PlanView } from '@countersign/contract'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useGateway } from '../../../environment/queries.ts'
import { useRoute } from '../../../environment/route.ts'
import { Button, EmptyState, ListDetail, Loaded, Menu, useListKeys, useOpened } from '../../../kit/index.ts'
import { words } from '../../../words/plans.tsx'
import { GoalTabs } from '../tabs.tsx'
import { AskPlanDialog } from './ask-plan.tsx'
import { PlanPage } from './plan-page.tsx'
import { PlanRow } from './plan-row.tsx'
import { PlanTextDialog } from './plan-text.tsx'

export function PlansScreen() {
  const route = useRoute()
  const chosen = route.parts[1] ?? null
  const [window, setWindow] = useState<'ask' | 'paste' | null>(null)
  const plans = usePlans()
  const rows = plans.data?.plans ?? []
  const ids = rows.map(({ id }) => id)
  const opened = useOpened(ids, chosen)
  const current = rows.find(({ id }) => id === opened)
  const isEmpty = plans.data?.plans.length === 0
  const base = route.href(['plans'])
  useListKeys(words.title, {
    ids,
    current: opened,
    onMove: (id) => route.go(route.href(['plans', id]), { replace: true }),
    onBack: () => route.go(base),
  })
  return (
    <>
      <ListDetail
        title={words.title}
        alone={isEmpty}
        note={plans.data === undefined || isEmpty ? undefined : words.count(plans.data.total)}
        backTo={base}
        detailTitle={current?.name}
        tools={isEmpty ? <GoalTabs current="plans" /> : <PlanTools onWindow={setWindow} />}
        list={
          <Loaded query={plans} isEmpty={() => rows.length === 0} empty={<NoPlans onWindow={setWindow} />}>
            {() =>
              rows.map((plan) => (
                <PlanRow
                  key={plan.id}
                  plan={plan}
                  to={route.href(['plans', plan.id])}
                  current={plan.id === opened}
                />
              ))
            }
          </Loaded>
        }
        detail={current === undefined ? null : <PlanPage key={current.id} plan={current} />}
      />
      {window === 'ask' ? <AskPlanDialog onClose={() => setWindow(null)} /> : null}
      {window === 'paste' ? <PlanTextDialog onClose={() => setWindow(null)} /> : null}
    </>
  )
}

function NoPlans({ onWindow }: { onWindow: (window: 'ask' | 'paste') => void }) {
  return (
    <EmptyState
      className="px-2"
      sentence={words.empty}
      action={
        <div className="flex flex-wrap gap-2">
          <Button variant="go" icon={Plus} onClick={() => onWindow('ask')}>
            {words.ask}
          </Button>
          <Button onClick={() => onWindow('paste')}>{words.paste}</Button>
        </div>
      }
    />
  )
}

function PlanTools({ onWindow }: { onWindow: (window: 'ask' | 'paste') => void }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-2">
      <GoalTabs current="plans" />
      <Menu
        variant="plain"
        label={words.ask}
        items={[
          { label: words.ask, icon: Plus, run: () => onWindow('ask') },
          { label: words.paste, run: () => onWindow('paste') },
        ]}
      />
    </div>
  )
}

/** Looked at often while one of them runs. */
function usePlans() {
  const [running, setRunning] = useState(false)
  const plans = useGateway(
    ['plans', 'list'],
    async (client) => {
      const answer = await client.plans({ limit: '200' })
      setRunning(answer.plans.some((plan: PlanView) => isPlanRunning(plan)))
      return answer
    },
    { everyMs: running ? 2_000 : 60_000 },
  )
  return plans
}
