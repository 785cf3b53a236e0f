/** One server: what waits to be accepted, what it may reach, its tools with their tiers, and what it did. */
import type { AcceptedTool, InstalledServer, ListedTool, PartOfExtension } from '@countersign/contract'
import { definitionText } from '@countersign/contract'
import { Search } from 'lucide-react'
import { useDirectCalls } from '../../deciding/use-direct-call.ts'
import {
  Button,
  ButtonLink,
  Chip,
  Diff,
  Mono,
  Safe,
  SafeBlock,
  Section,
  Sheet,
  TierChip,
  Time,
  useGrowing,
} from '../../kit/index.ts'
import { listWords } from '../../language/plural.ts'
import { words } from '../../words/extensions.tsx'
import { ExtensionFrame, type ExtensionPageProps } from './extension-frame.tsx'
import { WhatItDid } from './last-calls.tsx'
import { LaunchReach } from './reach.tsx'
import { changedTools } from './rows.ts'
import { StrangersWords } from './strangers-words.tsx'
import { TierCases } from './tier-cases.tsx'

interface ServerPageProps extends ExtensionPageProps {
  readonly server: InstalledServer
  readonly acceptTo: string
}

export function ServerPage({ server, acceptTo, ...page }: ServerPageProps) {
  const { row, online } = page
  return (
    <ExtensionFrame {...page}>
      <Waiting server={server} acceptTo={acceptTo} online={online} />
      <LaunchReach launch={server.launch} />
      <Tools server={server} use={row.use} acceptTo={acceptTo} />
      <WhatItDid name={server.name} use={row.use} />
    </ExtensionFrame>
  )
}

function Waiting({ server, acceptTo, online }: Pick<ServerPageProps, 'server' | 'acceptTo' | 'online'>) {
  const { name, tools, offered, gone, paused, listedAt, launchHash } = server
  const direct = useDirectCalls('extensions')
  const changed = changedTools(server)
  const fresh = offered.filter((tool) => !changed.some(({ after }) => after.name === tool.name))
  const isWaiting = changed.length + gone.length > 0 || tools.length === 0
  const look = () =>
    direct.act('look_at_server', { server: name, launch: launchHash }, words.waits.looked(name))
  return (
    <Section
      title={isWaiting ? words.waits.title : words.waits.besides}
      level={2}
      aside={listedAt === null ? undefined : words.waits.lookedAt(<Time at={listedAt} />)}
    >
      {changed.map(({ before, after }) => (
        <ChangedTool key={after.name} server={name} before={before} after={after} />
      ))}
      {gone.length === 0 ? null : <Names title={words.waits.gone} names={gone} />}
      {fresh.length === 0 ? null : <Names title={words.waits.new} names={fresh.map((tool) => tool.name)} />}
      <div className="mt-2 flex flex-wrap items-center gap-2">
        {offered.length + gone.length === 0 ? null : (
          <ButtonLink to={acceptTo} variant={isWaiting ? 'go' : 'plain'}>
            {words.waits.accept}
          </ButtonLink>
        )}
        <Button icon={Search} disabled={!online || paused} onClick={look}>
          {listedAt === null ? words.waits.look : words.waits.lookAgain}
        </Button>
        {paused ? <span className="text-small text-ink-3">{words.waits.pausedLook}</span> : null}
      </div>
    </Section>
  )
}

function Names({ title, names }: { title: string; names: readonly string[] }) {
  return (
    <p className="mb-2 text-ink-2">
      <span className="font-medium">{title}:</span>{' '}
      <span className="break-words">
        <Safe text={listWords(names)} />
      </span>
    </p>
  )
}

function ChangedTool({ server, before, after }: { server: string; before: AcceptedTool; after: ListedTool }) {
  const text = definitionText(after)
  return (
    <Sheet className="mb-3 border-edge!" padded={false}>
      <div className="px-4 pt-3">
        <h3 className="flex flex-wrap items-center gap-2 text-base font-[600]">
          <Safe text={after.name} />
          <Chip tone="bad">{words.tools.stopped}</Chip>
        </h3>
        <p className="text-small text-ink-2">{words.waits.changed}</p>
      </div>
      <div className="px-4 pb-3">
        <StrangersWords name={server} text={text}>
          <Diff
            before={definitionText(before.listed)}
            after={text}
            label={words.accept.difference(after.name)}
          />
        </StrangersWords>
      </div>
    </Sheet>
  )
}

export function Tools({
  server,
  use,
  acceptTo,
}: {
  server: InstalledServer
  use: readonly PartOfExtension[]
  /** Of a plugin there is nothing to accept. */
  acceptTo?: string
}) {
  const { shown, more } = useGrowing(server.tools)
  return (
    <Section
      title={words.tools.title}
      level={2}
      aside={
        server.tools.length === 0 || acceptTo === undefined ? undefined : (
          <ButtonLink to={acceptTo}>{words.tools.change}</ButtonLink>
        )
      }
    >
      {server.tools.length === 0 ? (
        <p className="text-ink-2">{words.tools.none}</p>
      ) : (
        <Sheet padded={false}>
          <ul aria-label={words.tools.title}>
            {shown.map((tool) => (
              <ToolRow
                key={tool.listed.name}
                server={server}
                tool={tool}
                use={use.find(({ part }) => part === tool.listed.name)}
              />
            ))}
          </ul>
          {more}
        </Sheet>
      )}
    </Section>
  )
}

function ToolRow({
  server,
  tool,
  use,
}: {
  server: InstalledServer
  tool: AcceptedTool
  use: PartOfExtension | undefined
}) {
  const { listed, tier, cases, undo } = tool
  const isStopped =
    server.offered.some(({ name }) => name === listed.name) || server.gone.includes(listed.name)
  return (
    <li className="border-t border-line px-4 py-2.5 first:border-t-0">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <Safe text={listed.name} className="min-w-0 font-medium break-words" />
        <TierChip tier={tier} />
        {isStopped ? <Chip tone="bad">{words.tools.stopped}</Chip> : null}
        {use === undefined ? null : (
          <span className="ms-auto text-small text-ink-3">
            <UseWords use={use} />
          </span>
        )}
      </p>
      <TierCases cases={cases} />
      {undo === null ? null : (
        <p className="text-small text-ink-2">{words.tools.undo(<Safe text={undo} />)}</p>
      )}
      <StrangersWords name={server.name} text={listed.description}>
        <SafeBlock text={listed.description} className="line-clamp-2 break-words" />
      </StrangersWords>
      <details className="text-small">
        <summary className="target cursor-pointer text-ink-2">
          {words.tools.definition}
          <span className="sr-only">
            {' '}
            <Safe text={listed.name} />
          </span>
        </summary>
        <div className="mt-1 border-s-2 border-line-strong ps-3">
          <Mono block text={definitionText(listed)} />
        </div>
      </details>
    </li>
  )
}

function UseWords({ use: { calls, failures, lastAt, unusedSince } }: { use: PartOfExtension }) {
  if (lastAt === null) return <>{words.use.never(<Time at={unusedSince} />)}</>
  return (
    <>
      {words.use.calls(calls)}
      {failures === 0 ? '' : `, ${words.use.failed(failures)}`}, {words.use.last(<Time at={lastAt} />)}
    </>
  )
}
