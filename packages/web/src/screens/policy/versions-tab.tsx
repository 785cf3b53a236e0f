/** Every policy that was in force: who changed what and when, what was in force at a ledger entry, and the way back. */

import type { PolicyDocument, PolicyVersionDetail, PolicyVersionView } from '@countersign/contract'
import { useState } from 'react'
import { useGateway } from '../../environment/queries.ts'
import { useRoute } from '../../environment/route.ts'
import {
  Button,
  Chip,
  classes,
  Diff,
  Loaded,
  PlainLink,
  Safe,
  Section,
  Sheet,
  TextField,
  Time,
} from '../../kit/index.ts'
import { words } from '../../words/policy.tsx'
import { Since } from './in-force-tab.tsx'
import { usePolicyDraft } from './policy-draft.tsx'

export function VersionsTab() {
  const route = useRoute()
  const { view } = usePolicyDraft()
  const entry = route.search['entry']
  const chosen = Number(route.parts[1] ?? view.version.number)
  const versions = useGateway(['policy', 'versions'], (client) => client.policyVersions())
  const detail = useGateway(['policy', 'version', entry ?? '', chosen], (client) =>
    entry === undefined ? client.policyVersion(chosen) : client.policyAsOf(Number(entry)),
  )
  return (
    <div className="grid gap-x-8 gap-y-4 lg:grid-cols-[20rem_minmax(0,1fr)]">
      <div>
        <h2 className="sr-only">{words.tabs.versions}</h2>
        <AsOf />
        <Loaded query={versions}>
          {(all) => (
            <Sheet padded={false}>
              <ol aria-label={words.tabs.versions}>
                {all.map((version) => (
                  <VersionRow
                    key={version.number}
                    version={version}
                    current={entry === undefined && version.number === chosen}
                    isInForce={version.number === view.version.number}
                  />
                ))}
              </ol>
            </Sheet>
          )}
        </Loaded>
      </div>
      <Loaded query={detail}>{(shown) => <VersionDetail detail={shown} entry={entry} />}</Loaded>
    </div>
  )
}

function AsOf() {
  const route = useRoute()
  const [entry, setEntry] = useState(route.search['entry'] ?? '')
  const number = entry.replace(/^#/, '').trim()
  const isNumber = /^\d{1,12}$/.test(number)
  return (
    <form
      className="mb-4 flex items-end gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        if (isNumber) route.go(route.href(['versions'], { entry: number }))
      }}
    >
      <div className="min-w-0 flex-1">
        <TextField
          label={words.versions.entry}
          value={entry}
          inputMode="numeric"
          placeholder="412"
          onChange={(event) => setEntry(event.target.value)}
        />
      </div>
      <Button type="submit" disabled={!isNumber}>
        {words.versions.look}
      </Button>
    </form>
  )
}

function VersionRow({
  version,
  current,
  isInForce,
}: {
  version: PolicyVersionView
  current: boolean
  isInForce: boolean
}) {
  const route = useRoute()
  return (
    <li className="border-t border-line first:border-t-0">
      <PlainLink
        to={route.href(['versions', String(version.number)], { entry: undefined })}
        {...(current ? { 'aria-current': 'true' as const } : {})}
        className={classes('target block px-4 py-2.5', current && 'bg-act-soft/50')}
      >
        <span className="flex flex-wrap items-center gap-2">
          <span className="font-medium">{words.versions.version(version.number)}</span>
          {isInForce ? <Chip tone="act">{words.versions.inForce}</Chip> : null}
          {version.loosens.length === 0 ? null : <Chip tone="waiting">{words.versions.asksLess}</Chip>}
        </span>
        <span className="block text-small text-ink-2">
          <Time at={version.at} /> ·{' '}
          {version.by.kind === 'gateway' ? words.inForce.files : <Safe text={version.by.name} />} ·{' '}
          {words.inForce.levels[version.autonomy]}
        </span>
      </PlainLink>
    </li>
  )
}

function VersionDetail({ detail, entry }: { detail: PolicyVersionDetail; entry: string | undefined }) {
  const { view, change } = usePolicyDraft()
  const route = useRoute()
  const { version, document } = detail
  const isInForce = version.number === view.version.number
  const before = useGateway(
    ['policy', 'version', '', version.number - 1],
    (client) => client.policyVersion(version.number - 1),
    { enabled: version.number > 1 },
  )
  return (
    <div className="min-w-0">
      <h3>
        {entry === undefined
          ? words.versions.version(version.number)
          : words.versions.at(entry, version.number)}
      </h3>
      <p className="text-ink-2">
        <Since version={version} />
      </p>
      {version.loosens.length === 0 ? null : (
        <ul className="mt-2 list-disc ps-5">
          {version.loosens.map((sentence) => (
            <li key={sentence}>
              <Safe text={sentence} />
            </li>
          ))}
        </ul>
      )}
      {isInForce ? null : (
        <Button
          className="mt-3"
          onClick={() => {
            change(document)
            route.go(route.href(['simulate'], { entry: undefined }))
          }}
        >
          {words.versions.restore}
        </Button>
      )}
      <Section title={words.versions.changes}>
        <Sheet padded={false}>
          <Diff
            before={before.data === undefined ? '' : asText(before.data.document)}
            after={asText(document)}
            label={words.versions.text}
          />
        </Sheet>
      </Section>
    </div>
  )
}

/** The whole of it as one text, so that two versions can be compared line by line. */
function asText({ autonomy, passkeyTools, files }: PolicyDocument): string {
  return [
    `level: ${autonomy}`,
    `passkey tools: ${passkeyTools.length === 0 ? '-' : passkeyTools.join(', ')}`,
    ...files.map(({ name, text }) => `\n# ${name}\n${text}`),
  ].join('\n')
}
