/** Owns which words of plugins stand in a prompt: those that the operator has reviewed, of plugins that are on. */
import { type AgentKind, type InstalledExtensions, isStrayed, operatorLabel } from '@countersign/contract'
import type { PluginWords } from './composer.ts'

/** As with skills: a plan has its steps, the feed tells what happened, and a guest's words are those of others. */
const untold: readonly AgentKind[] = ['plan', 'feed', 'guest']

export function pluginsToldTo(
  kind: AgentKind,
  extensions: (() => InstalledExtensions) | undefined,
): { readonly plugins?: readonly PluginWords[] } {
  if (untold.includes(kind) || !extensions) return {}
  const plugins = extensions().servers.flatMap((server) => {
    const { name, launch, paused, reviewed } = server
    const isTold = reviewed && !paused && !isStrayed(server)
    if (launch.kind !== 'plugin' || !isTold) return []
    return launch.manifest.sections.map(({ title, text }) => ({
      name,
      title,
      words: { text, label: operatorLabel },
    }))
  })
  return plugins.length > 0 ? { plugins } : {}
}
