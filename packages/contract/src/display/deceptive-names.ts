/** Tells whether a name that people read, of a file, a host or a program, could be taken for another one. */
import type { Resource } from '../effect.ts'
import { displayHost } from './host.ts'
import { forDisplay } from './sanitise.ts'

export function hasDeceptiveName(resources: readonly Resource[]): boolean {
  return resources.some((resource) => {
    if (resource.type === 'url') return displayHost(resource.host).flags.length > 0
    return namesIn(resource).some(
      (name) => name.normalize('NFC') !== name || forDisplay(name).flags.length > 0,
    )
  })
}

function namesIn(resource: Resource): readonly string[] {
  if (resource.type === 'file') return [resource.path]
  if (resource.type === 'exec') return [resource.path, resource.cwd]
  return resource.type === 'record' ? [resource.collection] : []
}
