/** The operator's own tables: which there are, and the open one as a grid. */
import type { TableView } from '@countersign/contract'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useGateway } from '../../environment/queries.ts'
import { useRoute } from '../../environment/route.ts'
import { Button, EmptyState, ListDetail, Loaded, Row, Safe, useIsNarrow } from '../../kit/index.ts'
import { words } from '../../words/library.tsx'
import { KindLinks } from './kind-links.tsx'
import { NewTableDialog } from './table-dialogs.tsx'
import { TableGrid } from './table-grid.tsx'

export function Tables() {
  const route = useRoute()
  const narrow = useIsNarrow()
  const [adding, setAdding] = useState(false)
  const tables = useGateway(['library', 'tables'], (client) => client.tables())
  const all = tables.data ?? []
  const [, chosen = narrow ? undefined : all[0]?.table] = route.parts
  const isEmpty = tables.data?.length === 0
  const open = all.find(({ table }) => table === chosen)
  const add = (
    <Button variant="go" icon={Plus} onClick={() => setAdding(true)}>
      {words.tables.add}
    </Button>
  )
  return (
    <>
      <ListDetail
        title={words.title}
        alone={isEmpty}
        tools={
          <div className="space-y-2">
            <KindLinks current="tables" />
            {isEmpty ? null : add}
          </div>
        }
        backTo={route.href(['tables'])}
        list={
          <Loaded
            query={tables}
            isEmpty={(found) => found.length === 0}
            empty={<EmptyState className="px-2" sentence={words.tables.empty} action={add} />}
          >
            {(found) =>
              found.map((table) => (
                <TableRow
                  key={table.table}
                  table={table}
                  current={table.table === chosen}
                  to={route.href(['tables', table.table])}
                />
              ))
            }
          </Loaded>
        }
        detail={open === undefined ? null : <TableGrid key={open.table} table={open} />}
      />
      {adding ? (
        <NewTableDialog
          onClose={() => setAdding(false)}
          onMade={(table) => route.go(route.href(['tables', table]))}
        />
      ) : null}
    </>
  )
}

function TableRow({ table, current, to }: { table: TableView; current: boolean; to: string }) {
  return (
    <Row to={to} current={current}>
      <Safe text={table.table} />
      <span className="block text-small text-ink-3">{words.tables.rows(table.records)}</span>
    </Row>
  )
}
