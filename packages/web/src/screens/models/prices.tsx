/** Every model of the providers: what it can do, what it costs, and where that is known from. */
import type { ModelView } from '@countersign/contract'
import { RotateCw } from 'lucide-react'
import { useState } from 'react'
import { useChange, useModels } from '../../environment/queries.ts'
import {
  Button,
  Chip,
  EmptyState,
  Loaded,
  Price,
  Safe,
  SearchField,
  Table,
  Time,
  useNotify,
} from '../../kit/index.ts'
import { words } from '../../words/models.tsx'
import { touched, useCatalogue } from './model-queries.ts'
import { PriceDialog } from './price-dialog.tsx'

/** More are found by typing. */
const mostShown = 100

export function Prices() {
  const models = useModels()
  const [typed, setTyped] = useState('')
  const [changing, setChanging] = useState<ModelView | null>(null)
  const rows = matching(models.data ?? [], typed)
  return (
    <>
      <div className="mb-4 flex flex-wrap items-end gap-3">
        <div className="min-w-64 flex-1">
          <SearchField label={words.filterModels} value={typed} onChange={setTyped} />
        </div>
        <PriceSource />
      </div>
      <Loaded
        query={models}
        isEmpty={() => rows.length === 0}
        empty={<EmptyState sentence={typed === '' ? words.noModels : words.noMatch} />}
      >
        {() => <ModelTable rows={rows.slice(0, mostShown)} onChange={setChanging} />}
      </Loaded>
      {rows.length > mostShown ? (
        <p className="mt-2 text-small text-ink-2">{words.moreModels(rows.length - mostShown)}</p>
      ) : null}
      {changing === null ? null : <PriceDialog model={changing} onClose={() => setChanging(null)} />}
    </>
  )
}

function ModelTable({
  rows,
  onChange,
}: {
  rows: readonly ModelView[]
  onChange: (model: ModelView) => void
}) {
  return (
    <Table
      caption={words.tabs.prices}
      rows={rows}
      keyOf={({ ref }) => ref}
      columns={[
        { title: words.model, cell: (model) => <Named model={model} /> },
        {
          title: words.can,
          wide: true,
          cell: ({ capabilities }) => capabilities.map((each) => words.capabilities[each]).join(', '),
        },
        { title: words.input, number: true, cell: ({ price }) => <Price usd={price?.input ?? null} /> },
        { title: words.output, number: true, cell: ({ price }) => <Price usd={price?.output ?? null} /> },
        {
          title: words.actions,
          cell: (model) => (
            <Button size="small" aria-label={words.changePrice(model.ref)} onClick={() => onChange(model)}>
              {words.change}
            </Button>
          ),
        },
      ]}
    />
  )
}

function Named({ model }: { model: ModelView }) {
  return (
    <>
      <span className="block font-medium break-words">
        <Safe text={model.title} />
      </span>
      <span className="block text-small break-all text-ink-2">
        <Safe text={model.ref} />
      </span>
      {model.overridden ? <Chip tone="act">{words.yourPrice}</Chip> : null}
    </>
  )
}

function PriceSource() {
  const notify = useNotify()
  const catalogue = useCatalogue()
  const refresh = useChange((client) => client.refreshCatalogue(), touched)
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 text-small text-ink-2">
      {catalogue.data === undefined ? null : (
        <span>
          {words.pricesFrom(<Safe text={catalogue.data.source} />, <Time at={catalogue.data.date} />)}
        </span>
      )}
      <Button
        icon={RotateCw}
        busy={refresh.isPending}
        onClick={() =>
          refresh.mutate(undefined, {
            onSuccess: ({ added, changed, removed }) =>
              notify({ text: words.refreshed(added, changed, removed) }),
            onError: (error) => notify({ text: error.message, tone: 'bad' }),
          })
        }
      >
        {words.refresh}
      </Button>
    </div>
  )
}

/** Every typed word occurs somewhere in it. Pure. */
export function matching(models: readonly ModelView[], typed: string): readonly ModelView[] {
  const wanted = typed.toLowerCase().split(/\s+/).filter(Boolean)
  return models.filter(({ ref, title }) => {
    const text = `${ref} ${title}`.toLowerCase()
    return wanted.every((word) => text.includes(word))
  })
}
