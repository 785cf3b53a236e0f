/** A redirect by the place that gives tokens is followed, to any port. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'executor/src/oauth/egress-fetch.ts',
    from: "redirects: 'refused'",
    to: "redirects: 'same-host'",
  },
  {
    file: 'executor/src/egress/redirect.ts',
    from: 'if (target.port !== first.port && target.port !== defaultPort[target.scheme]) return null',
    to: '',
  },
])
