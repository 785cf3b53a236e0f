/** Owns the look at this computer: what the gateway stands on, each thing in one finding. Changes nothing. */
import { existsSync, readFileSync, statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { CountersignError, type SetupFinding } from '@countersign/contract'
import type { HomePaths } from '@countersign/contract/node'
import { serviceManager } from './service-manager.ts'
import type { SetupStepHandler } from './setup-step.ts'

export interface CheckStepParts {
  readonly paths: Pick<HomePaths, 'data' | 'trust' | 'deviceKey' | 'keys' | 'workspace'>
  readonly platform: NodeJS.Platform
  readonly runtimeFolder: string | undefined
  readonly sandbox: () =>
    | { readonly kind: 'available'; readonly name: string }
    | { readonly kind: 'unavailable'; readonly reason: string; readonly fix: string }
  readonly clock: () => Date
}

const mebibyte = 2 ** 20
const leastFree = 200 * mebibyte
const comfortable = 1024 * mebibyte
const driftMs = 60_000

export function checkStep(parts: CheckStepParts): SetupStepHandler<'check'> {
  const findings = () => [disk(parts), clockOf(parts), sandbox(parts), keys(parts), service(parts)]
  return {
    title: 'Check this computer',
    about: 'Disk, clock, sandbox, where keys are kept, and what keeps it running.',
    skippable: false,
    look: async () => ({ data: { findings: findings() } }),
    async answer() {
      const [bad] = findings().filter(({ severity }) => severity === 'error')
      if (bad)
        throw new CountersignError('config_invalid', `${bad.title}: ${bad.evidence}.`, { next: bad.fix })
      return { done: true }
    },
  }
}

function disk({ paths }: CheckStepParts): SetupFinding {
  const { bavail, bsize } = statfsSync(paths.data)
  const free = bavail * bsize
  const evidence = `${(free / comfortable).toFixed(1)} GiB free at ${paths.data}`
  const found = { id: 'disk', title: 'Disk', evidence } as const
  if (free < leastFree)
    return {
      ...found,
      severity: 'error',
      fix: 'Free some space: without it nothing can be recorded, and so nothing runs.',
    }
  return free < comfortable
    ? { ...found, severity: 'warning', fix: 'Free some space soon.' }
    : { ...found, severity: 'ok', fix: '' }
}

/** A clock that runs behind what was already written would make fresh decisions look old. */
function clockOf({ paths, clock }: CheckStepParts): SetupFinding {
  const now = clock()
  const latest = Math.max(
    0,
    ...[paths.trust, paths.deviceKey]
      .filter((path) => existsSync(path))
      .map((path) => statSync(path).mtimeMs),
  )
  const found = { id: 'clock', title: 'Clock' } as const
  if (latest <= now.getTime() + driftMs)
    return { ...found, severity: 'ok', evidence: now.toISOString().slice(0, 16).replace('T', ' '), fix: '' }
  return {
    ...found,
    severity: 'error',
    evidence: `it is ${now.toISOString()} here, yet files were written at ${new Date(latest).toISOString()}`,
    fix: 'Set the clock of this machine.',
  }
}

function sandbox(parts: CheckStepParts): SetupFinding {
  const found = { id: 'sandbox', title: 'Sandbox' } as const
  const there = parts.sandbox()
  if (there.kind === 'available') return { ...found, severity: 'ok', evidence: there.name, fix: '' }
  return {
    ...found,
    severity: 'warning',
    evidence: `${there.reason} File and shell tools stay off; everything else works`,
    fix: there.fix,
  }
}

function keys({ paths }: CheckStepParts): SetupFinding {
  const found = { id: 'keys', title: 'Keys' } as const
  const record = join(paths.keys, 'vault.json')
  if (!existsSync(record))
    return { ...found, severity: 'ok', evidence: 'a place is chosen with the first secret', fix: '' }
  const place = /"keyring"/.test(readFileSync(record, 'utf8')) ? 'keyring' : 'file'
  return place === 'keyring'
    ? { ...found, severity: 'ok', evidence: 'in the keyring of this computer', fix: '' }
    : { ...found, severity: 'ok', evidence: `in ${paths.keys}, readable by you alone`, fix: '' }
}

function service({ platform, runtimeFolder }: CheckStepParts): SetupFinding {
  const found = { id: 'service', title: 'Service' } as const
  const manager = serviceManager(platform, runtimeFolder)
  return manager === 'none'
    ? {
        ...found,
        severity: 'warning',
        evidence: 'no service manager, so it runs until this computer restarts',
        fix: 'Start it with `countersign up` after a restart.',
      }
    : { ...found, severity: 'ok', evidence: manager, fix: '' }
}
