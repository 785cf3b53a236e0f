/** Says what takes the room of the disk, and which of it grows, from what the gateway has counted. */

import type { Status } from '@countersign/contract'
import { type DoctorFinding, ok, warning } from '@countersign/contract/doctor'
import { bytesWords } from '../output/bytes.ts'

/** Below this the largest part is named, while there is still time to choose. */
const littleBytes = 5 * 2 ** 30

const shorterAges = 'Keep less with `retention` in config.json: days after which details and events go.'
const growing: readonly {
  readonly part: keyof Omit<Status['disk'], 'free' | 'database'>
  readonly name: string
  readonly fix: string
}[] = [
  { part: 'details', name: 'details of finished runs', fix: shorterAges },
  { part: 'events', name: 'events', fix: shorterAges },
  {
    part: 'ledger',
    name: 'the ledger',
    fix: 'The ledger is never shortened. Move the data folder to a larger disk.',
  },
  { part: 'workspace', name: 'the workspace', fix: 'Remove files of the workspace that you do not need.' },
  { part: 'executor', name: 'the executor', fix: 'Free space elsewhere on this disk.' },
  { part: 'logs', name: 'the logs', fix: 'Remove old files from the folder of logs.' },
]

export function diskUse(disk: Status['disk']): DoctorFinding {
  const parts = growing
    .map((each) => ({ ...each, bytes: disk[each.part] }))
    .toSorted((one, other) => other.bytes - one.bytes)
  const [largest] = parts
  if (largest === undefined || parts.every(({ bytes }) => bytes === 0))
    return warning('disk-use', 'not counted', 'Try again when the database responds.')
  const shown = parts.slice(0, 3).map(({ name, bytes }) => `${name} ${bytesWords(bytes)}`)
  const text = `${bytesWords(disk.free)} free; what grows: ${shown.join(', ')}`
  return disk.free < littleBytes ? warning('disk-use', text, largest.fix) : ok('disk-use', text)
}
