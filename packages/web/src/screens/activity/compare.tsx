/** Two runs side by side, step by step. */

import type { CallView, RunDetail, RunId } from '@countersign/contract'
import { useState } from 'react'
import { useRun, useRuns } from '../../environment/queries.ts'
import { Loaded, Mono, Safe, Select, Table } from '../../kit/index.ts'
import { words } from '../../words/activity.tsx'
import { askedLine } from './asked-line.ts'

export function Compare({ detail }: { detail: RunDetail }) {
  const runs = useRuns()
  const [other, setOther] = useState('')
  const others = (runs.data ?? []).filter(({ id }) => id !== detail.run.id)
  return (
    <div className="space-y-4">
      <Select
        label={words.compare.with}
        value={other}
        options={[
          ['', words.compare.choose],
          ...others.map(({ id, asked }): [string, string] => [
            id,
            asked === '' ? id : askedLine(asked).slice(0, 80),
          ]),
        ]}
        onChange={(event) => setOther(event.target.value)}
      />
      {other === '' ? (
        <p className="text-ink-2">{words.compare.chooseAbout}</p>
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
            caption={words.compare.caption}
            columns={[
              { title: words.compare.step, cell: (row) => String(row.step), number: true },
              { title: words.compare.left, cell: (row) => <Step call={row.left} /> },
              { title: words.compare.right, cell: (row) => <Step call={row.right} /> },
              { title: words.compare.same, cell: (row) => (row.same ? words.compare.yes : words.compare.no) },
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
  if (call === undefined) return <span className="text-ink-3">{words.compare.nothing}</span>
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
