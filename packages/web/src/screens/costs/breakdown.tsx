/** Owns what the money went to: a row for each, which leads to its days and its runs. */
import { CostDayGroup, type CostLine, type CostlyRun, type CostReport } from '@countersign/contract'
import type { UseQueryResult } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useGateway } from '../../environment/queries.ts'
import {
  Button,
  Chip,
  type Column,
  EmptyState,
  Link,
  Loaded,
  Money,
  Safe,
  Section,
  Select,
  Table,
  Time,
} from '../../kit/index.ts'
import { numberWords } from '../../language/plural.ts'
import { words as common } from '../../words/common.ts'
import { words } from '../../words/costs.tsx'

export function Breakdown({
  report,
  by,
  only,
  onBy,
  onOnly,
}: {
  report: UseQueryResult<CostReport>
  by: CostDayGroup
  only: string | undefined
  onBy: (by: CostDayGroup) => void
  onOnly: (key: string | undefined) => void
}) {
  return (
    <Section
      level={2}
      title={words.breakdown}
      aside={
        <Select
          label={words.groupBy}
          hideLabel
          className="py-0.5"
          value={by}
          onChange={(event) => onBy(CostDayGroup.parse(event.target.value))}
          options={CostDayGroup.options.map((group) => [group, words.by[group]] as const)}
        />
      }
    >
      {only === undefined ? null : (
        <Button className="mb-2" size="small" icon={X} onClick={() => onOnly(undefined)}>
          {words.showAll}
        </Button>
      )}
      <Loaded
        query={report}
        isEmpty={({ lines }) => lines.length === 0}
        empty={<EmptyState className="py-1" sentence={words.nothing} />}
      >
        {({ lines }) => (
          <Table
            caption={words.caption(words.by[by])}
            columns={columnsOf(only, onOnly)}
            rows={lines.slice(0, 200)}
            keyOf={({ key }) => key}
          />
        )}
      </Loaded>
    </Section>
  )
}

function columnsOf(
  only: string | undefined,
  onOnly: (key: string | undefined) => void,
): readonly Column<CostLine>[] {
  return [
    {
      title: words.columns.what,
      cell: ({ key }) => (
        <button
          type="button"
          aria-pressed={key === only}
          className="target text-start text-act underline-offset-2 hover:underline aria-pressed:font-medium"
          onClick={() => onOnly(key === only ? undefined : key)}
        >
          <Safe text={key} />
        </button>
      ),
    },
    { title: words.columns.calls, cell: ({ calls }) => numberWords(calls), number: true, wide: true },
    {
      title: words.columns.tokens,
      cell: ({ input, output }) => `${numberWords(input)} / ${numberWords(output)}`,
      number: true,
      wide: true,
    },
    { title: words.columns.cost, cell: ({ usd }) => <Money usd={usd} />, number: true },
  ]
}

export function CostliestRuns({
  by,
  only,
  span,
}: {
  by: CostDayGroup
  only: string | undefined
  span: { readonly from: string; readonly to?: string }
}) {
  const runs = useGateway(['costs', 'runs', by, only, span], (client) =>
    client.costlyRuns({ limit: '10', ...span, ...(only === undefined ? {} : { by, key: only }) }),
  )
  return (
    <Section level={2} title={words.costliest}>
      <Loaded
        query={runs}
        isEmpty={(all) => all.length === 0}
        empty={<EmptyState className="py-1" sentence={words.noRuns} />}
      >
        {(all) => (
          <Table
            caption={words.costliest}
            columns={all.some(({ hint }) => hint !== null) ? [...runColumns, whyColumn] : runColumns}
            rows={all}
            keyOf={({ run }) => run}
          />
        )}
      </Loaded>
    </Section>
  )
}

const runColumns: readonly Column<CostlyRun>[] = [
  {
    title: words.columns.run,
    cell: ({ run, title, unattended }) => (
      <>
        <Link to={`/activity/${run}`}>{title === '' ? common.untitled : <Safe text={title} />}</Link>{' '}
        {unattended ? <Chip>{words.unattendedRun}</Chip> : null}
      </>
    ),
  },
  { title: words.columns.when, cell: ({ startedAt }) => <Time at={startedAt} />, wide: true },
  { title: words.columns.cost, cell: ({ usd }) => <Money usd={usd} />, number: true },
]

/** Only where one of the runs has a reason that the books tell. */
const whyColumn: Column<CostlyRun> = {
  title: words.columns.why,
  cell: ({ hint }) => <Safe text={hint ?? ''} />,
  wide: true,
}
