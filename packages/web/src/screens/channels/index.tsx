/** The Channels screen: where people talk to the assistant, how each way stands, and who asks to be let in. */
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useAskedFor } from '../../environment/asked-for.ts'
import { useKeys } from '../../environment/keys.tsx'
import { useGateway } from '../../environment/queries.ts'
import { useRoute } from '../../environment/route.ts'
import type { Screen } from '../../environment/screen.ts'
import { useLive } from '../../environment/services.tsx'
import { Button, ButtonLink, EmptyState, Loaded, Page, StaleNote } from '../../kit/index.ts'
import { words } from '../../words/channels.tsx'
import { Asking } from './asking.tsx'
import { ChannelCard } from './channel-card.tsx'
import { ChannelForm } from './channel-form.tsx'
import { ChannelPage } from './channel-page.tsx'
import { usePeers } from './peers.ts'

export const screen: Screen = { component: ChannelsScreen }

function useChannels() {
  return {
    // Nothing tells that a platform has answered.
    channels: useGateway(['channels'], (client) => client.channels(), {
      everyMs: (last) => (last?.some(({ state }) => state === 'connecting') ? 1_000 : 15_000),
    }),
    // What there is changes with the program only.
    kinds: useGateway(['channel-kinds'], (client) => client.channelKinds(), { freshMs: 300_000 }),
  }
}

function ChannelsScreen() {
  const { parts } = useRoute()
  const [chosen] = parts
  return chosen === undefined ? <AllChannels /> : <OneChannel key={chosen} name={chosen} />
}

function AllChannels() {
  const route = useRoute()
  const { channels, kinds } = useChannels()
  const { asking } = usePeers()
  const online = useLive((live) => live.link.kind === 'live')
  const [adding, setAdding] = useState(false)
  const add = () => setAdding(true)
  useAskedFor('add', add)
  useKeys(words.title, [{ keys: 'a', label: words.add, run: add }])
  return (
    <Page
      title={words.title}
      note={channels.data === undefined ? undefined : words.count(channels.data.length)}
      actions={
        <Button icon={Plus} keys="a" disabled={!online} onClick={add}>
          {words.add}
        </Button>
      }
    >
      <StaleNote at={null} className="mb-3" />
      <Asking peers={asking} online={online} />
      <Loaded
        query={channels}
        isEmpty={(rows) => rows.length === 0}
        empty={
          <EmptyState
            sentence={words.none}
            action={
              <Button variant="go" icon={Plus} disabled={!online} onClick={add}>
                {words.add}
              </Button>
            }
          />
        }
      >
        {(rows) => (
          <ul aria-label={words.title} className="grid gap-3 md:grid-cols-2 2xl:grid-cols-3">
            {rows.map((channel) => (
              <li key={channel.name}>
                <ChannelCard channel={channel} to={route.href([channel.name])} online={online} />
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      {adding && kinds.data ? (
        <ChannelForm
          kinds={kinds.data}
          taken={(channels.data ?? []).map(({ name }) => name)}
          onStored={(name) => route.go(route.href([name]))}
          onClose={() => setAdding(false)}
        />
      ) : null}
    </Page>
  )
}

function OneChannel({ name }: { name: string }) {
  const route = useRoute()
  const { channels, kinds } = useChannels()
  const online = useLive((live) => live.link.kind === 'live')
  const found = channels.data?.find((each) => each.name === name)
  if (found)
    return (
      <ChannelPage
        channel={found}
        kind={kinds.data?.find(({ kind }) => kind === found.kind)}
        backTo={route.base}
        online={online}
        onGone={() => route.go(route.base, { replace: true })}
      />
    )
  return (
    <Page title={words.title}>
      <Loaded query={channels}>
        {() => (
          <EmptyState sentence={words.gone} action={<ButtonLink to={route.base}>{words.all}</ButtonLink>} />
        )}
      </Loaded>
    </Page>
  )
}
