/** A note in the folder of running gateways leads to a relay. It is newer than the real one, and its process lives. */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { generateKey, signLease } from '@countersign/contract/node'
import type { Attack } from '../attack.ts'
import { fieldOf, runCommand } from '../command-line.ts'
import { startRelay } from '../relay.ts'

export const attack: Attack = {
  name: 'forged-lease',
  promise: 'A note that the gateway did not sign leads no command anywhere.',
  mutant: 'leases-unsigned',
  async run(stage) {
    const { installation, gateway } = await stage.scene()
    const relay = await startRelay(gateway.url)
    stage.afterwards(() => relay.close())
    const { id } = installation.identity.trust.gateway
    const lease = { pid: gateway.pid, url: relay.url, startedAt: '2999-01-01T00:00:00.000Z', version: '' }
    const path = join(installation.paths.lease, '99999999.json')
    writeFileSync(path, JSON.stringify(signLease(lease, id, generateKey().privateKey)))
    stage.afterwards(() => rmSync(path, { force: true }))
    const status = await runCommand(['status', '--json'], {
      environment: { COUNTERSIGN_HOME: installation.home },
      nodeArguments: stage.nodeArguments,
    })
    return {
      open: relay.answers.length > 0,
      control: fieldOf(status.output, 'status', 'url') === gateway.url,
      saw: `${relay.answers.length} requests at the relay, status left with ${status.exit}`,
    }
  },
}
