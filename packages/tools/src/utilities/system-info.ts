/** Tells about the machine that the executor runs on. Keeps names of hosts and people, and addresses, to itself. */
import {
  arch,
  availableParallelism,
  cpus,
  freemem,
  loadavg,
  platform,
  release,
  totalmem,
  uptime,
} from 'node:os'
import { z } from 'zod'
import { answer, computing } from './computing.ts'

export const systemInfo = computing({
  name: 'system_info',
  version: '1',
  description: 'Get system information: operating system, processor, memory and uptime of this machine.',
  group: 'core',
  tags: [
    'os',
    'operating system',
    'memory',
    'ram',
    'cpu',
    'processor',
    'uptime',
    'platform',
    'machine',
    'computer',
    'load',
    'disk',
    'version',
  ],
  input: z.strictObject({}),
  effects: [
    { verb: 'read', object: 'this machine', scope: 'inside', reversible: true, outward: false, leaves: [] },
  ],
  output: { integrity: 'tool', confidentiality: 'private', sources: [] },
  describe: () => 'Look at this machine',
  compute: () =>
    answer({
      platform: platform(),
      release: release(),
      architecture: arch(),
      processor: cpus()[0]?.model ?? 'unknown',
      cores: availableParallelism(),
      load: loadavg().map((load) => Math.round(load * 100) / 100),
      memoryTotalMb: Math.round(totalmem() / 1e6),
      memoryFreeMb: Math.round(freemem() / 1e6),
      uptimeHours: Math.round(uptime() / 360) / 10,
      node: process.version,
    }),
})
