/** Tells whether a name that people read, of a file, a host or a program, could be taken for another one. */
import type { Resource } from '../effect.ts'
import { displayHost } from './host.ts'
import { forDisplay } from './sanitise.ts'

export function hasDeceptiveName(resources: readonly Resource[]): boolean {
  return resources.some((resource) => {
    const host = hostIn(resource)
    if (host !== undefined && displayHost(host).flags.length > 0) return true
    return namesIn(resource).some(
      (name) => name.normalize('NFC') !== name || forDisplay(name).flags.length > 0,
    )
  })
}

function namesIn(resource: Resource): readonly string[] {
  if (resource.type === 'file') return [resource.path]
  if (resource.type === 'exec') return [resource.path, resource.cwd]
  if (resource.type === 'node')
    return resource.capability === 'files' ? [resource.name, resource.object] : [resource.name]
  return resource.type === 'record' ? [resource.collection] : []
}

/** Also of an address that another computer opens. */
function hostIn(resource: Resource): string | undefined {
  if (resource.type === 'url') return resource.host
  const isAddress = resource.type === 'node' && resource.capability === 'browser'
  return isAddress && URL.canParse(resource.object) ? new URL(resource.object).hostname : undefined
}
