/** The Extensions screen: what was let in from outside, what it may reach, what waits to be accepted, and what it did. */
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useAskedFor } from '../../environment/asked-for.ts'
import { useKeys } from '../../environment/keys.tsx'
import { useGateway } from '../../environment/queries.ts'
import { useRoute } from '../../environment/route.ts'
import type { Screen } from '../../environment/screen.ts'
import { useLive } from '../../environment/services.tsx'
import {
  Button,
  ButtonLink,
  CopyCommand,
  EmptyState,
  Loaded,
  Mono,
  Page,
  Section,
  StaleNote,
} from '../../kit/index.ts'
import { words } from '../../words/extensions.tsx'
import { AcceptPage } from './accept-page.tsx'
import { AddForm } from './add-form.tsx'
import { ExtensionCard } from './extension-card.tsx'
import { PluginPage } from './plugin-page.tsx'
import { ProposalPage } from './proposal-page.tsx'
import { Proposals } from './proposals.tsx'
import { type ExtensionRow, extensionRows, kinds } from './rows.ts'
import { ServerPage } from './server-page.tsx'
import { SkillPage } from './skill-page.tsx'

export const screen: Screen = { component: ExtensionsScreen }

const firstCommand =
  'countersign extension add files --preset filesystem --package @modelcontextprotocol/server-filesystem@2026.8.31 --folder notes -- /workspace/notes'
const acceptPart = 'accept'
const waitingPart = 'waiting'

function ExtensionsScreen() {
  const { parts } = useRoute()
  const [chosen, part] = parts
  return chosen === undefined ? <AllExtensions /> : <OneExtension key={chosen} name={chosen} part={part} />
}

/** Both begin with `extensions`, so that one change makes both old. */
function useExtensions() {
  return {
    installed: useGateway(['extensions'], (client) => client.extensions(), { everyMs: 30_000 }),
    use: useGateway(['extensions', 'use'], (client) => client.extensionUse(), { everyMs: 60_000 }),
  }
}

function AllExtensions() {
  const route = useRoute()
  const { installed, use } = useExtensions()
  const online = useLive((live) => live.link.kind === 'live')
  const [adding, setAdding] = useState(false)
  const add = () => setAdding(true)
  useAskedFor('add', add)
  useKeys(words.title, [{ keys: 'a', label: words.add, run: add }])
  const rows = installed.data === undefined ? [] : extensionRows(installed.data, use.data)
  const proposals = installed.data?.proposals ?? []
  return (
    <Page
      title={words.title}
      note={installed.data === undefined ? undefined : words.count(rows.length)}
      actions={
        <Button icon={Plus} keys="a" disabled={!online} onClick={add}>
          {words.add}
        </Button>
      }
    >
      <StaleNote at={null} className="mb-3" />
      <Loaded query={installed} isEmpty={() => rows.length + proposals.length === 0} empty={<Nothing />}>
        {() => (
          <>
            <Proposals proposals={proposals} hrefOf={(name) => route.href([name, waitingPart])} />
            {kinds.map((kind) => (
              <OfKind
                key={kind}
                title={words.kinds[kind]}
                rows={rows.filter((row) => row.kind === kind)}
                hrefOf={(name) => route.href([name])}
                online={online}
              />
            ))}
          </>
        )}
      </Loaded>
      {use.data === undefined || use.data.unknown === 0 ? null : (
        <p className="mt-6 text-small text-ink-3">{words.use.unknown(use.data.unknown)}</p>
      )}
      {adding ? <AddForm taken={rows.map(({ name }) => name)} onClose={() => setAdding(false)} /> : null}
    </Page>
  )
}

function Nothing() {
  return (
    <EmptyState
      sentence={words.none}
      action={
        <div className="max-w-full">
          <p className="mb-1 text-small text-ink-2">{words.noneNext}</p>
          <Mono block text={firstCommand} className="rounded-1 bg-well px-3 py-2 text-small" />
          <CopyCommand text={firstCommand} />
        </div>
      }
    />
  )
}

function OfKind({
  title,
  rows,
  hrefOf,
  online,
}: {
  title: string
  rows: readonly ExtensionRow[]
  hrefOf: (name: string) => string
  online: boolean
}) {
  if (rows.length === 0) return null
  return (
    <Section title={title} level={2}>
      <ul aria-label={title} className="grid gap-3 md:grid-cols-2 2xl:grid-cols-3">
        {rows.map((row) => (
          <li key={row.name}>
            <ExtensionCard row={row} to={hrefOf(row.name)} online={online} />
          </li>
        ))}
      </ul>
    </Section>
  )
}

function OneExtension({ name, part }: { name: string; part: string | undefined }) {
  const route = useRoute()
  const { installed, use } = useExtensions()
  const online = useLive((live) => live.link.kind === 'live')
  const server = installed.data?.servers.find((each) => each.name === name)
  const skill = installed.data?.skills.find((each) => each.name === name)
  const row = installed.data && extensionRows(installed.data, use.data).find((each) => each.name === name)
  const page = {
    backTo: route.base,
    online,
    onGone: () => route.go(route.base, { replace: true }),
  }
  const proposal = installed.data?.proposals.find((each) => each.name === name)
  if (proposal && (part === waitingPart || row === undefined))
    return <ProposalPage {...page} proposal={proposal} isVersion={skill !== undefined} />
  if (server?.launch.kind === 'plugin' && row)
    return <PluginPage {...page} plugin={server} launch={server.launch} row={row} />
  if (server && part === acceptPart)
    return <AcceptPage server={server} backTo={route.href([name])} online={online} />
  if (server && row)
    return <ServerPage {...page} server={server} row={row} acceptTo={route.href([name, acceptPart])} />
  if (skill && row) return <SkillPage {...page} skill={skill} row={row} />
  return (
    <Page title={words.title}>
      <Loaded query={installed}>
        {() => (
          <EmptyState sentence={words.gone} action={<ButtonLink to={route.base}>{words.all}</ButtonLink>} />
        )}
      </Loaded>
    </Page>
  )
}
