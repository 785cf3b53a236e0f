/** Shows what an extension may reach: in short on its card, and whole on its page. */
import type { ServerLaunch } from '@countersign/contract'
import type { ReactNode } from 'react'
import { Chip, Facts, Mono, Safe, Section, Sheet } from '../../kit/index.ts'
import { words } from '../../words/extensions.tsx'
import { launchReach, type Reach } from './rows.ts'

export function ReachChips({ reach }: { reach: Reach }) {
  const { hosts, folders, secrets, ownFiles, scripts } = reach
  const said = [
    ...folders.map(({ path, write }) => (write ? words.reach.writesShort : words.reach.readsShort)(path)),
    ...hosts,
    ...secrets.map(({ name }) => words.reach.secretShort(name)),
    ...(ownFiles ? [words.reach.keepsFiles] : []),
    ...(scripts.length > 0 ? [words.reach.scripts(scripts.length)] : []),
  ]
  if (said.length === 0) return <p className="mt-2 text-small text-ink-3">{words.reach.none}</p>
  return (
    <ul aria-label={words.reach.title} className="mt-2 flex flex-wrap gap-1.5">
      {said.map((each) => (
        <li key={each} className="max-w-full">
          <Chip className="max-w-full">
            <Safe text={each} className="truncate" />
          </Chip>
        </li>
      ))}
    </ul>
  )
}

export function LaunchReach({ launch }: { launch: ServerLaunch }) {
  const { hosts, folders, secrets, ownFiles } = launchReach(launch)
  return (
    <Section title={words.reach.title} level={2}>
      <Sheet>
        <Facts
          rows={[
            ...startRows(launch),
            [words.reach.folders, list(folders, ({ path, write }) => folderWords(path, write))],
            [words.reach.hosts, list(hosts, (host) => <Mono text={host} />)],
            [
              words.reach.secrets,
              list(secrets, ({ name, as }) =>
                as === null ? (
                  <Mono text={name} />
                ) : (
                  words.reach.secretAs(<Mono text={name} />, <Mono text={as} />)
                ),
              ),
            ],
            [words.reach.ownFiles, ownFiles ? words.reach.yes : words.reach.no],
          ]}
        />
        {launch.kind === 'http' ? (
          <p className="mt-2 text-small text-ink-2">{words.reach.elsewhere}</p>
        ) : null}
      </Sheet>
    </Section>
  )
}

function startRows(launch: ServerLaunch): readonly (readonly [string, ReactNode])[] {
  if (launch.kind === 'http')
    return [[words.reach.address, <Mono key="url" text={launch.url} className="break-all" />]]
  if (launch.kind === 'plugin')
    return [
      [words.reach.starts, <Mono key="main" text={launch.manifest.main} className="break-all" />],
      [words.reach.tree, <Mono key="tree" text={launch.tree} className="break-all" />],
    ]
  const { argv, package: from, tree, environment, sockets } = launch
  return [
    [words.reach.starts, <Mono key="argv" text={argv.join(' ')} className="break-all" />],
    [
      words.reach.package,
      from === null ? null : (
        <Mono key="package" text={`${from.name} ${from.version}`} className="break-all" />
      ),
    ],
    [
      words.reach.tree,
      tree === null ? words.reach.noTree : <Mono key="tree" text={tree} className="break-all" />,
    ],
    [
      words.reach.variables,
      list(Object.entries(environment), ([name, value]) => <Mono text={`${name}=${value}`} />),
    ],
    ...(sockets ? ([[words.reach.sockets, words.reach.amongItself]] as const) : []),
  ]
}

function folderWords(path: string, write: boolean) {
  return (write ? words.reach.writes : words.reach.reads)(<Mono text={path} className="break-all" />)
}

/** Each on a line of its own; nothing where there is none. */
function list<Item>(items: readonly Item[], show: (item: Item) => ReactNode) {
  if (items.length === 0) return words.reach.nothing
  return (
    <ul>
      {items.map((item, index) => (
        // The items of one entry never move.
        <li key={index}>{show(item)}</li>
      ))}
    </ul>
  )
}
