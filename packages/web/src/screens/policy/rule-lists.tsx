/** What the bundled level lets through, and the operator's own rules with where each stands. */

import type { WhatCan } from '@countersign/contract'
import { type Column, Mono, Safe, Sheet, Table } from '../../kit/index.ts'
import { words } from '../../words/policy.tsx'

type Rule = WhatCan['rules'][number]

export function FreeList({ free }: { free: readonly string[] }) {
  if (free.length === 0) return <p className="text-ink-2">{words.rules.none}</p>
  return (
    <Sheet>
      <ul className="list-disc space-y-1 ps-5">
        {free.map((sentence) => (
          <li key={sentence}>
            <Safe text={freeSentence(sentence)} />
          </li>
        ))}
      </ul>
    </Sheet>
  )
}

/** The level stands above the list already. */
function freeSentence(sentence: string): string {
  const said = sentence.replace(/^\w+: /, '')
  return `${said.slice(0, 1).toUpperCase()}${said.slice(1)}`
}

const columns: readonly Column<Rule>[] = [
  { title: words.rules.purpose, cell: ({ why, id }) => <Safe text={why === '' ? id : why} /> },
  { title: words.rules.rule, cell: ({ id }) => <Mono text={id} />, wide: true },
  {
    title: words.rules.where,
    cell: ({ file, line }) => <Mono text={`${file}:${line}`} className="whitespace-nowrap" />,
  },
]

export function RuleTable({ rules }: { rules: readonly Rule[] }) {
  if (rules.length === 0) return <p className="text-ink-2">{words.rules.noRules}</p>
  return (
    <Table
      caption={words.rules.caption}
      columns={columns}
      rows={rules.slice(0, 200)}
      keyOf={({ file, line, id }) => `${file}:${line} ${id}`}
    />
  )
}
