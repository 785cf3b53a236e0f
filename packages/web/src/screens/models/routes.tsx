/** Which model does what: for each use the one that comes next, and how it is chosen. */
import type { RouteView } from '@countersign/contract'
import { useState } from 'react'
import { Button, Chip, Loaded, Safe, Table } from '../../kit/index.ts'
import { words } from '../../words/models.tsx'
import { LocalEmbeddings } from './local-embeddings.tsx'
import { useModelRoutes } from './model-queries.ts'
import { RouteDialog } from './route-dialog.tsx'

export function Routes() {
  const routes = useModelRoutes()
  const [changing, setChanging] = useState<RouteView | null>(null)
  return (
    <>
      <p className="mb-4 max-w-prose text-ink-2">{words.usesAbout}</p>
      <Loaded query={routes}>
        {(rows) => (
          <Table
            caption={words.tabs.uses}
            rows={rows}
            keyOf={({ purpose }) => purpose}
            columns={[
              { title: words.use, cell: ({ purpose }) => <Use purpose={purpose} /> },
              { title: words.nextModel, cell: (route) => <Next route={route} /> },
              { title: words.chosenBy, wide: true, cell: (route) => <ChosenBy route={route} /> },
              {
                title: words.actions,
                cell: (route) => (
                  <Button
                    size="small"
                    aria-label={words.changeUse(words.purposes[route.purpose])}
                    onClick={() => setChanging(route)}
                  >
                    {words.change}
                  </Button>
                ),
              },
            ]}
          />
        )}
      </Loaded>
      <LocalEmbeddings />
      {changing === null ? null : <RouteDialog route={changing} onClose={() => setChanging(null)} />}
    </>
  )
}

function Use({ purpose }: { purpose: RouteView['purpose'] }) {
  return (
    <>
      <span className="block font-medium">{words.purposes[purpose]}</span>
      <span className="block text-small text-ink-2 max-sm:hidden">{words.purposesAbout[purpose]}</span>
    </>
  )
}

function Next({ route }: { route: RouteView }) {
  if (route.next === null)
    return (
      <>
        <Chip tone={route.purpose === 'chat' ? 'bad' : 'plain'}>{words.noModel}</Chip>
        <span className="mt-1 block text-small text-ink-2">{words.noModelAbout}</span>
      </>
    )
  return <Safe text={route.next} />
}

function ChosenBy({ route }: { route: RouteView }) {
  if (!route.own) return <span className="text-ink-2">{words.likeChat}</span>
  return (
    <>
      <span className="block">{words.strategies[route.strategy]}</span>
      <span className="block text-small text-ink-2">
        {route.models.length === 0 ? words.anyModel : <Safe text={route.models.join(', ')} />}
      </span>
    </>
  )
}
