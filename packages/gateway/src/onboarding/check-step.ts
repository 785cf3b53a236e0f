/** The step that checks this computer, with one finding per requirement. Changes nothing. */
import { existsSync, readFileSync, statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { CountersignError, type SetupFinding } from '@countersign/contract'
import type { HomePaths } from '@countersign/contract/node'
import { serviceManager } from './service-manager.ts'
import type { SetupStepHandler } from './setup-step.ts'
import { type SetupWords, setupWords } from './words/index.ts'

export interface CheckStepParts {
  readonly paths: Pick<HomePaths, 'data' | 'trust' | 'deviceKey' | 'keys' | 'workspace'>
  readonly platform: NodeJS.Platform
  readonly runtimeFolder: string | undefined
  readonly sandbox: () =>
    | { readonly kind: 'available'; readonly name: string }
    | { readonly kind: 'unavailable'; readonly reason: string; readonly fix: string }
  readonly clock: () => Date
}

type Words = SetupWords['check']

const mebibyte = 2 ** 20
const leastFree = 200 * mebibyte
const comfortable = 1024 * mebibyte
const driftMs = 60_000

export function checkStep(parts: CheckStepParts): SetupStepHandler<'check'> {
  const findings = ({ check }: SetupWords) =>
    [disk, clockOf, sandbox, keys, service].map((look) => look(parts, check))
  return {
    skippable: false,
    look: async (_operator, _kept, words) => ({ data: { findings: findings(words) } }),
    async answer() {
      const [bad] = findings(setupWords.en).filter(({ severity }) => severity === 'error')
      if (bad)
        throw new CountersignError('config_invalid', `${bad.title}: ${bad.evidence}.`, { next: bad.fix })
      return { done: true }
    },
  }
}

function disk({ paths }: CheckStepParts, words: Words): SetupFinding {
  const { bavail, bsize } = statfsSync(paths.data)
  const free = bavail * bsize
  const evidence = words.disk.free((free / comfortable).toFixed(1), paths.data)
  const found = { id: 'disk', title: words.names.disk, evidence } as const
  if (free < leastFree) return { ...found, severity: 'error', fix: words.disk.full }
  return free < comfortable
    ? { ...found, severity: 'warning', fix: words.disk.low }
    : { ...found, severity: 'ok', fix: '' }
}

/** With a clock behind the time of files that exist, fresh decisions would look old. */
function clockOf({ paths, clock }: CheckStepParts, words: Words): SetupFinding {
  const now = clock()
  const latest = Math.max(
    0,
    ...[paths.trust, paths.deviceKey]
      .filter((path) => existsSync(path))
      .map((path) => statSync(path).mtimeMs),
  )
  const found = { id: 'clock', title: words.names.clock } as const
  if (latest <= now.getTime() + driftMs)
    return { ...found, severity: 'ok', evidence: now.toISOString().slice(0, 16).replace('T', ' '), fix: '' }
  return {
    ...found,
    severity: 'error',
    evidence: words.clock.behind(now.toISOString(), new Date(latest).toISOString()),
    fix: words.clock.fix,
  }
}

function sandbox(parts: CheckStepParts, words: Words): SetupFinding {
  const found = { id: 'sandbox', title: words.names.sandbox } as const
  const there = parts.sandbox()
  if (there.kind === 'available') return { ...found, severity: 'ok', evidence: there.name, fix: '' }
  return {
    ...found,
    severity: 'warning',
    evidence: words.noSandbox(there.reason),
    fix: there.fix,
  }
}

function keys({ paths }: CheckStepParts, words: Words): SetupFinding {
  const found = { id: 'keys', title: words.names.keys } as const
  const record = join(paths.keys, 'vault.json')
  if (!existsSync(record)) return { ...found, severity: 'ok', evidence: words.keys.none, fix: '' }
  const place = /"keyring"/.test(readFileSync(record, 'utf8')) ? 'keyring' : 'file'
  return place === 'keyring'
    ? { ...found, severity: 'ok', evidence: words.keys.keyring, fix: '' }
    : { ...found, severity: 'ok', evidence: words.keys.file(paths.keys), fix: '' }
}

function service({ platform, runtimeFolder }: CheckStepParts, words: Words): SetupFinding {
  const found = { id: 'service', title: words.names.service } as const
  const manager = serviceManager(platform, runtimeFolder)
  return manager === 'none'
    ? { ...found, severity: 'warning', ...words.noService }
    : { ...found, severity: 'ok', evidence: manager, fix: '' }
}
