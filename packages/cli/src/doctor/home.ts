/** Looks at what the command line reads of this host: the trust file with its own key in it, and the leases. */
import { existsSync } from 'node:fs'
import { bad, type DoctorFinding, findingText, ok, warning } from '@countersign/contract/doctor'
import { folderProblem, type HomePaths, readTrust } from '@countersign/contract/node'
import { readIdentity } from '../connection.ts'
import { staleLeases } from '../leases.ts'

export function trustFile(paths: HomePaths): DoctorFinding {
  if (!existsSync(paths.trust))
    return warning('trust', `no trust file at ${paths.trust}`, 'Run `countersign up` to create one.')
  try {
    const { devices } = readTrust(paths.trust)
    readIdentity(paths)
    return ok(
      'trust',
      `${devices.filter((device) => device.revokedAt === null).length} paired, this device among them`,
    )
  } catch (error) {
    return bad(
      'trust',
      findingText(error),
      'Restore the trust file from a backup; do not create a new one while approvals are pending.',
    )
  }
}

export function leases(paths: HomePaths): DoctorFinding {
  // What is wrong with the folder is found above.
  const stale = existsSync(paths.lease) && folderProblem(paths.lease) !== null ? [] : staleLeases(paths)
  if (stale.length === 0) return ok('lease', 'no stale files')
  return warning(
    'lease',
    `${stale.length} from processes that ended: ${stale.join(', ')}`,
    `rm ${stale.join(' ')}`,
    stale.map((path) => ({ kind: 'remove', path })),
  )
}
