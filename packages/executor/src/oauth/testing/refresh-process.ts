/** Asks for one access token in a process of its own, and stops where it is told to, so that a test can kill it there. */
import { createEgress, defaultEgressLimits } from '../../egress/egress.ts'
import { createSecretsAccess } from '../../vault/secrets-access.ts'
import { createAccessTokens, type GrantSource, type WantedToken } from '../access-tokens.ts'
import { createOAuthServer } from '../oauth-server.ts'

const { vault, port, wanted, stop } = JSON.parse(process.argv[2] ?? '{}') as {
  vault: Parameters<typeof createSecretsAccess>[0]
  port: number
  wanted: Omit<WantedToken, 'grants'>
  stop: 'before storing' | 'after storing' | 'nowhere'
}
const egress = createEgress({
  allow: { ports: [], allowPrivate: [{ host: '127.0.0.1', port }] },
  limits: defaultEgressLimits,
})
const own = createSecretsAccess(vault).grantsFor({
  secrets: [wanted.secret],
  tool: { name: 'list_emails' } as never,
})
/** Alive until it is killed. */
const stand = (): Promise<never> => {
  process.stdout.write('standing\n')
  setInterval(() => undefined, 1_000)
  return new Promise(() => undefined)
}
const grants: GrantSource = {
  ...own,
  async exchange(name, before, after) {
    if (stop === 'before storing') return stand()
    const done = await own.exchange(name, before, after)
    return stop === 'after storing' ? stand() : done
  },
}
const tokens = createAccessTokens(createOAuthServer(egress), () => new Date())
const { kind } = await tokens.token({ ...wanted, grants }, undefined, new AbortController().signal)
process.stdout.write(`${kind}\n`)
