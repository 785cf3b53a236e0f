/** A redirect is followed wherever it leads, and only the first hop is looked at. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'executor/src/egress/redirect.ts',
    from: "target.kind === 'refused' || target.asciiHost !== first.asciiHost",
    to: "target.kind === 'refused'",
  },
  {
    file: 'executor/src/egress/redirect.ts',
    from: 'if (target.port !== first.port && target.port !== defaultPort[target.scheme]) return null',
    to: '',
  },
  {
    file: 'executor/src/egress/egress.ts',
    from: 'const checked = await resolveChecked(journey.hop.target, allow, lookup, stop)',
    to: `const { asciiHost, ipClass } = journey.hop.target
          const checked = journey.hops > 0
            ? { kind: 'checked', addresses: ipClass ? [asciiHost] : await lookup(asciiHost) }
            : await resolveChecked(journey.hop.target, allow, lookup, stop)`,
  },
])
