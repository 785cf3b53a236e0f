/** Two runs side by side, step by step. */
import type { CallView, RunDetail, RunId } from '@countersign/contract'
import { useState } from 'react'
import { useRun, useRuns } from '../../data/queries.ts'
import { Loaded, Mono, Safe, Select, Table } from '../../kit/index.ts'

export function Compare({ detail }: { detail: RunDetail }) {
  const runs = useRuns()
  const [other, setOther] = useState('')
  const others = (runs.data ?? []).filter(({ id }) => id !== detail.run.id)
  return (
    <div className="space-y-4">
      <Select
        label="Compare with"
        value={other}
        options={[
          ['', 'Choose a run'],
          ...others.map(({ id, asked }): [string, string] => [id, asked === '' ? id : asked.slice(0, 80)]),
        ]}
        onChange={(event) => setOther(event.target.value)}
      />
      {other === '' ? (
        <p className="text-ink-2">Choose another run to see where they differ.</p>
      ) : (
        <Sides left={detail} right={other as RunId} />
      )}
    </div>
  )
}

function Sides({ left, right }: { left: RunDetail; right: RunId }) {
  const other = useRun(right)
  return (
    <Loaded query={other}>
      {(data) => {
        const rows = aligned(left.calls, data.calls)
        return (
          <Table
            caption="The steps of both runs"
            columns={[
              { title: 'Step', cell: (row) => String(row.step), number: true },
              { title: 'This run', cell: (row) => <Step call={row.left} /> },
              { title: 'The other', cell: (row) => <Step call={row.right} /> },
              { title: 'Same', cell: (row) => (row.same ? 'yes' : 'no') },
            ]}
            rows={rows}
            keyOf={(row) => String(row.step)}
          />
        )
      }}
    </Loaded>
  )
}

function Step({ call }: { call: CallView | undefined }) {
  if (call === undefined) return <span className="text-ink-3">nothing</span>
  return (
    <>
      <Mono text={call.tool} /> <Safe text={call.headline} />
    </>
  )
}

export function aligned(left: readonly CallView[], right: readonly CallView[]) {
  return Array.from({ length: Math.max(left.length, right.length) }, (_, index) => {
    const [one, other] = [left[index], right[index]]
    return {
      step: index + 1,
      left: one,
      right: other,
      same: one !== undefined && other !== undefined && one.tool === other.tool && one.args === other.args,
    }
  })
}
