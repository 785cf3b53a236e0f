/** Owns which places a page may reach during a call, and the memory of those that it was refused. */

export interface HostPort {
  readonly host: string
  readonly port: number
}

export interface Reach {
  /** These and no others: what an earlier call opened is closed. */
  set(places: readonly HostPort[]): void
  allows(place: HostPort): boolean
  /** Like `allows`, and remembers a no. For requests that were really made. */
  asks(host: string, port: number): boolean
  /** Says in a sentence what was refused since the last time, and forgets it. */
  takeRefused(): string | undefined
}

export function createReach(): Reach {
  const open = new Set<string>()
  const refused = new Set<string>()
  let requests = 0
  const allows = ({ host, port }: HostPort) => open.has(keyOf(host, port))
  return {
    set(places) {
      open.clear()
      for (const { host, port } of places) open.add(keyOf(host, port))
    },
    allows,
    asks(host, port) {
      if (allows({ host, port })) return true
      requests += 1
      if (refused.size < mostRemembered) refused.add(nameOf(host, port))
      return false
    },
    takeRefused() {
      if (requests === 0) return undefined
      const names = [...refused].toSorted()
      const shown = names.slice(0, mostShown).join(', ')
      const more = names.length > mostShown ? ' and others' : ''
      const count = requests === 1 ? '1 request' : `${requests} requests`
      const verb = requests === 1 ? 'was' : 'were'
      requests = 0
      refused.clear()
      return `${count} to other hosts ${verb} blocked: ${shown}${more}.`
    },
  }
}

const mostRemembered = 100
const mostShown = 10

function keyOf(host: string, port: number): string {
  return `${host.toLowerCase().replace(/^\[|\]$/g, '')} ${port}`
}

/** The name comes from the page, so it is shown only if it could be one. */
function nameOf(host: string, port: number): string {
  const name = /^[a-z0-9._:[\]-]{1,253}$/i.test(host) ? host.toLowerCase() : 'an unnamed host'
  return port === 80 || port === 443 ? name : `${name}:${port}`
}
