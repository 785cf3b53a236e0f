/** A gateway that was taken over asks a node to look at programs by a way round, and learns what is outside of the shared folder. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Attack } from '../attack.ts'
import { nodeOfGateway } from '../node-of-a-gateway.ts'

export const attack: Attack = {
  name: 'node-looks-elsewhere',
  promise: 'A look tells of no file outside of the shared folder and the programs of the system.',
  mutant: 'programs-by-any-way',
  async run(stage) {
    const { place, link } = await nodeOfGateway(stage)
    const path = join(place.folder, 'own-program')
    writeFileSync(path, '#!/bin/sh\necho private\n', { mode: 0o755 })
    const look = async (program: string) => {
      const args = { node: 'laptop', argv: [program], uninspectable: true }
      return (await link.resolve('device_run_program', args)).kind
    }
    const ways = [path, `/usr/..${path}`, `/usr/bin/../..${path}`, `/bin/../..${path}`, `/usr/./..${path}`]
    const told: string[] = []
    for (const way of ways) if ((await look(way)) === 'resolved') told.push(way.replace(path, '…'))
    return {
      open: told.length > 0,
      control: (await look('/usr/bin/touch')) === 'resolved',
      saw: `told of a program elsewhere by: ${told.join(' ') || 'none'}`,
    }
  },
}
