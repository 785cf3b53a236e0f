/** Owns the prices that costs are counted with: of every model that a purpose uses, and where they come from. */
import type { ModelView } from '@countersign/contract'
import { RotateCw } from 'lucide-react'
import { useChange, useGateway } from '../../environment/queries.ts'
import {
  Button,
  type Column,
  EmptyState,
  Loaded,
  Price,
  Safe,
  Section,
  Table,
  useNotify,
} from '../../kit/index.ts'
import { words } from '../../words/costs.tsx'

export function Prices() {
  const notify = useNotify()
  const models = useGateway(['models', 'prices'], (client) => client.models())
  const refresh = useChange((client) => client.refreshCatalogue(), [['models']])
  const used = (all: readonly ModelView[]) => all.filter(({ usedFor }) => usedFor.length > 0)
  return (
    <Section
      level={2}
      title={words.prices.title}
      aside={
        <Button
          size="small"
          icon={RotateCw}
          busy={refresh.isPending}
          onClick={() =>
            refresh.mutate(undefined, {
              onSuccess: () => notify({ text: words.prices.updated }),
              onError: (error) => notify({ text: error.message, tone: 'bad' }),
            })
          }
        >
          {words.prices.update}
        </Button>
      }
    >
      <Loaded
        query={models}
        isEmpty={(all) => used(all).length === 0}
        empty={<EmptyState className="py-1" sentence={words.prices.none} />}
      >
        {(all) => (
          <Table
            caption={words.prices.caption}
            columns={columns}
            rows={used(all).slice(0, 50)}
            keyOf={({ ref }) => ref}
          />
        )}
      </Loaded>
    </Section>
  )
}

const columns: readonly Column<ModelView>[] = [
  { title: words.prices.model, cell: ({ ref }) => <Safe text={ref} /> },
  {
    title: words.prices.input,
    cell: ({ price }) => (price === null ? words.unknown : <Price usd={price.input} />),
    number: true,
  },
  {
    title: words.prices.output,
    cell: ({ price }) => (price === null ? words.unknown : <Price usd={price.output} />),
    number: true,
  },
]
