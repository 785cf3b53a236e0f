/** Shows what a tool takes, an argument in each row. */
import type { ToolDetail } from '@countersign/contract'
import { type Column, Mono, Safe, Table } from '../../kit/index.ts'
import { words } from '../../words/tools.tsx'
import { type Argument, argumentsOf } from './arguments.ts'

export function ArgumentTable({ tool }: { tool: ToolDetail }) {
  const rows = argumentsOf(tool.schema)
  if (rows.length === 0) return <p className="text-ink-2">{words.noArguments}</p>
  return (
    <Table
      caption={words.arguments}
      columns={rows.some(({ about }) => about !== '') ? [...columns, aboutColumn] : columns}
      rows={rows}
      keyOf={({ name }) => name}
    />
  )
}

const columns: readonly Column<Argument>[] = [
  { title: words.argument.name, cell: ({ name }) => <Mono text={name} className="bg-transparent px-0" /> },
  {
    title: words.argument.kind,
    cell: ({ kind, choices }) => (
      <Safe text={kind === 'choice' ? choices.join(', ') : words.argument.kinds[kind]} />
    ),
  },
  {
    title: words.argument.required,
    cell: ({ required }) => (required ? words.argument.yes : words.argument.no),
    wide: true,
  },
]

/** Only where the author of the tool said something. */
const aboutColumn: Column<Argument> = {
  title: words.argument.about,
  cell: ({ about }) => <Safe text={about} />,
}
