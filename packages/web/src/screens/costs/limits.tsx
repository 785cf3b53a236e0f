/** Owns the limits beside the figures: how far each is used, and how one is set, changed and removed. */
import type { BudgetView } from '@countersign/contract'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useAskedFor } from '../../environment/asked-for.ts'
import { useBudgets, useChange } from '../../environment/queries.ts'
import {
  Button,
  Dialog,
  EmptyState,
  Loaded,
  Meter,
  Section,
  Sheet,
  Time,
  useNotify,
} from '../../kit/index.ts'
import { moneyWords } from '../../language/format.ts'
import { words as common } from '../../words/common.ts'
import { words } from '../../words/costs.tsx'
import { LimitDialog } from './limit-dialog.tsx'

export function Limits() {
  const budgets = useBudgets()
  const [editing, setEditing] = useState<BudgetView | 'new' | null>(null)
  useAskedFor('add', () => setEditing('new'))
  const add = (
    <Button size="small" icon={Plus} onClick={() => setEditing('new')}>
      {words.limit.add}
    </Button>
  )
  return (
    <Section level={2} title={words.limits} className="lg:mt-0" aside={add}>
      <Loaded
        query={budgets}
        isEmpty={(all) => all.length === 0}
        empty={<EmptyState className="py-1" sentence={words.noLimits} />}
      >
        {(all) => (
          <Sheet className="space-y-4">
            {all.map((budget) => (
              <Limit key={budget.name} budget={budget} onChange={() => setEditing(budget)} />
            ))}
          </Sheet>
        )}
      </Loaded>
      {editing === null ? null : (
        <LimitDialog budget={editing === 'new' ? null : editing} onClose={() => setEditing(null)} />
      )}
    </Section>
  )
}

export function limitName({ scope, subject, period }: BudgetView): string {
  const what = words.limit.scopes[scope]
  const named = subject === null ? what : words.limit.one(what, subject)
  return scope === 'run' || scope === 'call' ? named : words.limit.per(named, words.limit.periods[period])
}

function Limit({ budget, onChange }: { budget: BudgetView; onChange: () => void }) {
  const [removing, setRemoving] = useState(false)
  const limit = budget.limitUsd + budget.extraUsd
  const spent = budget.spentUsd ?? 0
  const label = `${limitName(budget)}${budget.hard ? '' : words.onlyWarns}`
  return (
    <div>
      <Meter
        label={label}
        value={spent}
        of={limit}
        words={
          budget.spentUsd === null
            ? words.eachUpTo(moneyWords(limit))
            : words.of(moneyWords(spent), moneyWords(limit))
        }
      />
      <div className="mt-0.5 flex flex-wrap items-center gap-x-2 text-small text-ink-3">
        {budget.startsAgainAt === null ? null : (
          <span>{words.restarts(<Time at={budget.startsAgainAt} />)}</span>
        )}
        <span className="ms-auto flex gap-1">
          <Button variant="quiet" size="small" aria-label={words.limit.changeOf(label)} onClick={onChange}>
            {words.limit.change}
          </Button>
          {budget.builtIn ? null : (
            <Button
              variant="quiet"
              size="small"
              aria-label={words.limit.removeOf(label)}
              onClick={() => setRemoving(true)}
            >
              {words.limit.remove}
            </Button>
          )}
        </span>
      </div>
      <RemoveDialog budget={budget} label={label} open={removing} onClose={() => setRemoving(false)} />
    </div>
  )
}

/** Without a limit agents may spend more, so it is asked once. */
function RemoveDialog({
  budget,
  label,
  open,
  onClose,
}: {
  budget: BudgetView
  label: string
  open: boolean
  onClose: () => void
}) {
  const notify = useNotify()
  const remove = useChange((client) => client.removeBudget(budget.name), [['costs'], ['status']])
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={words.limit.removeTitle(label)}
      description={words.limit.removeAbout}
      size="small"
      actions={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button
            variant="danger"
            busy={remove.isPending}
            onClick={() =>
              remove.mutate(undefined, {
                onSuccess: ({ ledger }) => {
                  notify({ text: words.limit.removed(label, ledger) })
                  onClose()
                },
                onError: (error) => notify({ text: error.message, tone: 'bad' }),
              })
            }
          >
            {words.limit.removeIt}
          </Button>
        </>
      }
    />
  )
}
