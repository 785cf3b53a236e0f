/** What expenses come to: for each currency its sum, and a bar for each category, month or payee. */
import { type ExpenseSummary, type ExpenseTotal, expenseCategories, forDisplay } from '@countersign/contract'
import { useState } from 'react'
import { useGateway } from '../../environment/queries.ts'
import { Loaded, Meter, Section, Select, Sheet } from '../../kit/index.ts'
import { amountWords, percentWords } from '../../language/format.ts'
import { words } from '../../words/library.tsx'

const groups = ['category', 'month', 'payee'] as const
type Group = (typeof groups)[number]
const mostLines = 12

export function ExpenseSums() {
  const [by, setBy] = useState<Group>('category')
  const summary = useGateway(['library', 'expenses', 'summary', by], (client) =>
    client.expenseSummary({ by }),
  )
  return (
    <Section
      title={words.sums.title}
      aside={
        <Select
          label={words.sums.by}
          options={groups.map((group) => [group, words.sums.groups[group]] as const)}
          value={by}
          onChange={(event) => setBy(groups.find((group) => group === event.target.value) ?? 'category')}
        />
      }
    >
      <Loaded query={summary}>
        {(told) => (
          <div className="space-y-3">
            {told.totals.map((total) => (
              <CurrencySums key={total.currency} total={total} told={told} />
            ))}
          </div>
        )}
      </Loaded>
    </Section>
  )
}

function CurrencySums({ total, told }: { total: ExpenseTotal; told: ExpenseSummary }) {
  const { currency, amount, count } = total
  const lines = told.lines.filter((line) => line.currency === currency).slice(0, mostLines)
  return (
    <Sheet>
      <p className="mb-2 font-medium">{words.sums.total(amountWords(amount, currency), count)}</p>
      <div className="space-y-2">
        {lines.map((line) => (
          <Meter
            key={line.key}
            label={nameOf(line.key)}
            value={line.percent}
            of={100}
            isLimit={false}
            words={`${amountWords(line.amount, currency)} · ${percentWords(line.percent / 100)}`}
          />
        ))}
      </div>
    </Sheet>
  )
}

function nameOf(key: string): string {
  if (key === '') return words.sums.none
  const category = expenseCategories.find((each) => each === key)
  return category === undefined ? forDisplay(key).text : words.categories[category]
}
