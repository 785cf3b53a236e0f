/** A table as a grid: a cell is changed in its place, a column sorts, rows and columns are added. */
import type { RecordView, TableView } from '@countersign/contract'
import { ArrowDown, ArrowUp, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { type DirectCalls, useDirectCalls } from '../../deciding/use-direct-call.ts'
import { useGateway } from '../../environment/queries.ts'
import { Button, EmptyState, FormDialog, Loaded, Safe, SearchField } from '../../kit/index.ts'
import { words as common } from '../../words/common.ts'
import { words } from '../../words/library.tsx'
import { Cell } from './cell.tsx'
import { NewColumnDialog, NewRowDialog } from './table-dialogs.tsx'

interface Sorting {
  readonly by: string
  readonly order: 'asc' | 'desc'
}

/** More than these are not put back by an undo. */
const mostRestored = 200

export function TableGrid({ table }: { table: TableView }) {
  const direct = useDirectCalls('library')
  const [open, setOpen] = useState<'row' | 'column' | 'delete' | null>(null)
  const [search, setSearch] = useState('')
  const [sorting, setSorting] = useState<Sorting | null>(null)
  const rows = useGateway(['library', 'rows', table.table, search, sorting], (client) =>
    client.tableRecords(table.table, {
      limit: 200,
      search: search === '' ? undefined : search,
      sortBy: sorting?.by,
      sortOrder: sorting?.order,
    }),
  )
  const addRow = (
    <Button variant="go" icon={Plus} onClick={() => setOpen('row')}>
      {words.tables.addRow}
    </Button>
  )
  return (
    <article>
      <h2 className="text-title font-medium">
        <Safe text={table.table} />
      </h2>
      <div className="my-3 flex flex-wrap items-end gap-2">
        {addRow}
        <Button icon={Plus} onClick={() => setOpen('column')}>
          {words.tables.addColumn}
        </Button>
        <Button variant="danger" icon={Trash2} onClick={() => setOpen('delete')}>
          {words.tables.delete}
        </Button>
        <SearchField
          label={words.searchLabel}
          placeholder={words.search}
          value={search}
          onChange={setSearch}
        />
      </div>
      <Loaded
        query={rows}
        isEmpty={({ items }) => items.length === 0}
        empty={<EmptyState sentence={search === '' ? words.tables.noRows : words.noMatch} action={addRow} />}
      >
        {({ items }) => (
          <Grid table={table} rows={items} sorting={sorting} onSort={setSorting} direct={direct} />
        )}
      </Loaded>
      {open === 'row' ? <NewRowDialog table={table} onClose={() => setOpen(null)} /> : null}
      {open === 'column' ? <NewColumnDialog table={table} onClose={() => setOpen(null)} /> : null}
      {open === 'delete' ? <DeleteTableDialog table={table} onClose={() => setOpen(null)} /> : null}
    </article>
  )
}

function DeleteTableDialog({ table, onClose }: { table: TableView; onClose: () => void }) {
  const direct = useDirectCalls('library')
  return (
    <FormDialog
      title={words.tables.deleteTitle(table.table)}
      description={table.records > mostRestored ? common.cannotBeUndone : words.tables.deleteUndo}
      submit={words.tables.delete}
      tone="danger"
      onClose={onClose}
      onSubmit={() => direct.call('delete_custom_table', { table: table.table }, words.tables.deleted)}
    />
  )
}

function Grid({
  table,
  rows,
  sorting,
  onSort,
  direct,
}: {
  table: TableView
  rows: readonly RecordView[]
  sorting: Sorting | null
  onSort: (sorting: Sorting | null) => void
  direct: DirectCalls
}) {
  return (
    <div className="overflow-x-auto rounded-2 border border-line bg-sheet">
      <table className="w-full border-collapse text-start">
        <caption className="sr-only">{table.table}</caption>
        <GridHead table={table} sorting={sorting} onSort={onSort} />
        <tbody>
          {rows.map((row) => (
            <tr key={row.id} className="border-b border-line last:border-b-0">
              {table.columns.map((column) => (
                <Cell
                  key={column.name}
                  column={column}
                  value={row.data[column.name]}
                  onSave={(value) =>
                    direct.act(
                      'update_custom_record',
                      { table: table.table, recordId: row.id, data: { [column.name]: value } },
                      words.tables.cellChanged,
                    )
                  }
                />
              ))}
              <td className="px-1">
                <Button
                  variant="quiet"
                  size="small"
                  icon={Trash2}
                  aria-label={words.tables.deleteRow}
                  onClick={() =>
                    direct.act(
                      'delete_custom_record',
                      { table: table.table, recordId: row.id },
                      words.tables.rowDeleted,
                    )
                  }
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function GridHead({
  table,
  sorting,
  onSort,
}: {
  table: TableView
  sorting: Sorting | null
  onSort: (sorting: Sorting | null) => void
}) {
  const next = (by: string): Sorting | null =>
    sorting?.by !== by ? { by, order: 'asc' } : sorting.order === 'asc' ? { by, order: 'desc' } : null
  return (
    <thead>
      <tr className="border-b border-line">
        {table.columns.map(({ name }) => (
          <th
            key={name}
            scope="col"
            aria-sort={ariaSort(sorting, name)}
            className="border-e border-line p-0 text-start"
          >
            <button
              type="button"
              className="target flex w-full items-center gap-1 px-3 py-1.5 text-small font-medium text-ink-2 hover:bg-ink/5"
              onClick={() => onSort(next(name))}
            >
              <Safe text={name} />
              {sorting?.by === name ? <SortMark order={sorting.order} /> : null}
            </button>
          </th>
        ))}
        <th scope="col" className="w-10">
          <span className="sr-only">{words.delete}</span>
        </th>
      </tr>
    </thead>
  )
}

function SortMark({ order }: { order: Sorting['order'] }) {
  return order === 'asc' ? <ArrowUp size={14} aria-hidden /> : <ArrowDown size={14} aria-hidden />
}

function ariaSort(sorting: Sorting | null, name: string): 'ascending' | 'descending' | 'none' {
  if (sorting?.by !== name) return 'none'
  return sorting.order === 'asc' ? 'ascending' : 'descending'
}
