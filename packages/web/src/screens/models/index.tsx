/** The Models screen: who answers, which model does what, and what each costs. */
import { useRoute } from '../../environment/route.ts'
import type { Screen } from '../../environment/screen.ts'
import { Page, Tabs } from '../../kit/index.ts'
import { words } from '../../words/models.tsx'
import { Prices } from './prices.tsx'
import { Providers } from './providers.tsx'
import { Routes } from './routes.tsx'

export const screen: Screen = { component: ModelsScreen }

function ModelsScreen() {
  const route = useRoute()
  const [current = 'providers'] = route.parts
  return (
    <Page title={words.title} note={words.note}>
      <Tabs
        label={words.title}
        current={current}
        onChange={(id) => route.go(route.href(id === 'providers' ? [] : [id]), { replace: true })}
        tabs={[
          { id: 'providers', label: words.tabs.providers, content: () => <Providers /> },
          { id: 'uses', label: words.tabs.uses, content: () => <Routes /> },
          { id: 'prices', label: words.tabs.prices, content: () => <Prices /> },
        ]}
      />
    </Page>
  )
}
