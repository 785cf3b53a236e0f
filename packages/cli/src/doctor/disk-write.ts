/** Writes to the disk where the data is, reads it back, and takes it away again. */

import { randomBytes } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { bad, type DoctorFinding, findingText, ok, warning } from '@countersign/contract/doctor'
import type { HomePaths } from '@countersign/contract/node'

const sizeBytes = 1_048_576
const slowMs = 1_000

export function diskWrite(paths: HomePaths): DoctorFinding {
  if (!existsSync(paths.data))
    return warning('disk-write', `${paths.data} does not exist yet`, 'Run `countersign up`.')
  const path = join(paths.data, `.doctor-${randomBytes(6).toString('hex')}`)
  const bytes = randomBytes(sizeBytes)
  try {
    const began = performance.now()
    const handle = openSync(path, 'wx', 0o600)
    try {
      writeSync(handle, bytes)
      fsyncSync(handle)
    } finally {
      closeSync(handle)
    }
    const took = Math.round(performance.now() - began)
    if (!readFileSync(path).equals(bytes))
      return bad('disk-write', `what was written to ${path} was read back changed`, 'Replace this disk.')
    const text = `1 MiB in ${took} ms`
    return took > slowMs
      ? warning('disk-write', text, 'This disk is slow; every effect waits for a write to it.')
      : ok('disk-write', text)
  } catch (error) {
    return bad(
      'disk-write',
      findingText(error),
      `Make ${paths.data} writable for this user, or free some space.`,
    )
  } finally {
    rmSync(path, { force: true })
  }
}
