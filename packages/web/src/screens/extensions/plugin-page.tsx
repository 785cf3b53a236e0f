/** One plugin: what it says of itself, what it may reach, its tools with their tiers, its words for the prompt, and what it did. */
import type { InstalledServer, PluginLaunch } from '@countersign/contract'
import { CopyCommand, Safe, SafeBlock, Section } from '../../kit/index.ts'
import { words } from '../../words/extensions.tsx'
import { ExtensionFrame, type ExtensionPageProps } from './extension-frame.tsx'
import { WhatItDid } from './last-calls.tsx'
import { LaunchReach } from './reach.tsx'
import { Tools } from './server-page.tsx'
import { StrangersWords } from './strangers-words.tsx'

interface PluginPageProps extends ExtensionPageProps {
  readonly plugin: InstalledServer
  readonly launch: PluginLaunch
}

export function PluginPage({ plugin, launch, ...page }: PluginPageProps) {
  const { row } = page
  const { description, author } = launch.manifest
  return (
    <ExtensionFrame {...page}>
      <StrangersWords name={plugin.name} text={description}>
        <SafeBlock text={description} className="break-words" />
        <p className="text-small text-ink-3">
          <Safe text={author} />
        </p>
      </StrangersWords>
      <LaunchReach launch={launch} />
      <Tools server={plugin} use={row.use} />
      <Sections plugin={plugin} launch={launch} />
      <WhatItDid name={plugin.name} use={row.use} />
    </ExtensionFrame>
  )
}

function Sections({ plugin, launch }: Pick<PluginPageProps, 'plugin' | 'launch'>) {
  const { sections } = launch.manifest
  if (sections.length === 0) return null
  return (
    <Section title={words.sections.title} level={2}>
      <p className="mb-2 text-ink-2">
        {plugin.reviewed ? words.sections.reviewed : words.sections.unreviewed}
      </p>
      {sections.map(({ title, text }) => (
        <StrangersWords key={title} name={plugin.name} text={`${title}\n${text}`} />
      ))}
      {plugin.reviewed ? null : <CopyCommand text={`countersign extension review ${plugin.name}`} />}
    </Section>
  )
}
