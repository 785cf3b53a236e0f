/**
 * Lets a plugin in with its tools, or puts another state of it in the place of the one that is there. Nothing of it runs by
 * this: all that is shown is read from its files. The operator calls it by hand.
 */
import {
  type InstalledServer,
  listedAs,
  longestPluginFile,
  mostPluginFiles,
  PluginLaunch,
  type PluginManifest,
  ServerName,
  Tier,
  TreeFile,
} from '@countersign/contract'
import { rightsChanges } from '@countersign/contract/node'
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { extensionResource, serverNamed, takenBy } from '../extensions/entry.ts'
import { onEntries } from '../extensions/entry-tools.ts'
import { pinProblem } from '../extensions/pins.ts'
import { asShown } from '../extensions/shown-files.ts'
import { failed, succeeded } from '../result.ts'
import { changesText } from '../skills/skill-card.ts'
import { pathText } from '../text.ts'
import { launchOfPlugin, manifestOf, pluginCard, shownRights } from './plugin-card.ts'
import { entryEffect, hashText } from './server-effects.ts'
import { launchHash, toolDefinitionHash } from './server-tool.ts'

const { folders, hosts, secrets, data } = PluginLaunch.shape

export const addPlugin = defineTool({
  name: 'add_plugin',
  version: '1',
  description: 'Let a plugin in with its tools, or update one that is there.',
  input: z.strictObject({
    name: ServerName,
    files: z.array(TreeFile).min(1).max(mostPluginFiles),
    /** The whole text of its manifest. */
    text: z.string().max(longestPluginFile),
    /** What the report says. The executor makes it again and refuses another one. */
    report: z.array(z.string().max(1_000)).max(100),
    folders,
    hosts,
    secrets,
    data,
    /** What each of its tools counts for. */
    tiers: z.record(z.string().max(64), Tier),
    /** The folder of the host that its files are copied from. */
    from: pathText,
    /** Where it comes from, in words. */
    source: pathText.max(1_000),
    /** What takes the place of what: the hash of how it runs now, what it may do otherwise, and every other file. */
    replaces: z
      .strictObject({ launch: z.string().regex(hashText), rights: changesText, changes: changesText })
      .nullable()
      .default(null),
  }),
  category: 'servers',
  group: 'servers',
  tags: ['plugin', 'install', 'update'],
  ...onEntries,
  runs: 'executor',
  floor: 3,
  describe: ({ name, replaces }) =>
    replaces === null ? `Let the plugin ${name} in` : `Put another state of the plugin ${name} in its place`,
  preview: ({ from, replaces, ...shown }) => ({
    kind: 'code',
    title: `Plugin ${shown.name}: what is behind a bar are its words`,
    language: replaces === null ? 'markdown' : 'diff',
    code: `Files are copied from: ${from}\n${pluginCard(shown, replaces)}`,
  }),
  async effects({ replaces, ...shown }, inspect) {
    const { name } = shown
    const installed = inspect.extensions()
    const taken = takenBy(installed, 'plugin', name)
    if (taken !== undefined) return { kind: 'invalid', reason: taken }
    const before = serverNamed(installed, name)
    if ((before?.launchHash ?? null) !== (replaces?.launch ?? null)) {
      const reason =
        replaces === null
          ? `There is a plugin ${name} already. Change it with \`countersign extension update ${name} --plugin …\`.`
          : `The plugin ${name} is not as it was.`
      return { kind: 'invalid', reason }
    }
    const pin = pinProblem('plugin', before)
    if (pin !== undefined) return { kind: 'invalid', reason: pin }
    const manifest = manifestOf(shown)
    if (typeof manifest === 'string') return { kind: 'invalid', reason: manifest }
    if (before && replaces && rightsChanges(before, shownRights(shown, manifest)) !== replaces.rights)
      return { kind: 'invalid', reason: 'What it may do otherwise than now is not what was shown.' }
    return {
      kind: 'found',
      resources: [extensionResource(installed, { kind: 'plugin', name, op: before ? 'change' : 'add' })],
      effects: [entryEffect('write', `the plugin ${name}, whose tools may then be used`, true)],
    }
  },
  async run({ from, replaces, ...shown }, { extensions }) {
    const { name } = shown
    const manifest = manifestOf(shown)
    if (typeof manifest === 'string') return failed(manifest)
    const before = serverNamed(extensions.installed(), name)
    const launch = launchOfPlugin(shown, manifest)
    const outcome = await extensions.putServer(
      {
        name,
        launch,
        launchHash: launchHash(launch),
        tools: acceptedTools(manifest, shown.tiers),
        offered: [],
        gone: [],
        listedAt: null,
        paused: before?.paused ?? false,
        ...(before && hasSameWords(before, launch) ? { reviewed: true } : {}),
      },
      { kind: 'folder', path: from },
      asShown(shown.report, replaces),
    )
    if (outcome.kind === 'failed') return failed(outcome.reason)
    const summary = before ? `The plugin ${name} is updated` : `The plugin ${name} is let in`
    return succeeded(`${summary}.`, summary)
  },
})

/** What the operator has read stays read as long as it is the same. */
function hasSameWords({ reviewed, launch: was }: InstalledServer, { manifest }: PluginLaunch): boolean {
  const before = was.kind === 'plugin' ? was.manifest.sections : []
  return reviewed === true && JSON.stringify(before) === JSON.stringify(manifest.sections)
}

function acceptedTools({ tools }: PluginManifest, tiers: Readonly<Record<string, Tier>>) {
  return tools.map((tool) => {
    const listed = listedAs(tool)
    const tier = tiers[tool.name] ?? 4
    return { listed, definition: toolDefinitionHash(listed), tier, cases: [], undo: null }
  })
}
