/**
 * Carries out what `doctor --fix` may do. Before each change it keeps what was there: a file that goes is copied, and of
 * a mode the old one is written down. The content of a key is never copied.
 */
import {
  chmodSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import type { DoctorFinding, DoctorRepair } from './finding.ts'

export interface RepairReport {
  /** The folder with what was there before. */
  readonly backup: string
  readonly done: readonly string[]
  readonly failed: readonly string[]
}

export function plannedRepairs(findings: readonly DoctorFinding[]): DoctorRepair[] {
  return findings.flatMap(({ repairs }) => repairs)
}

export function repairText(repair: DoctorRepair): string {
  return repair.kind === 'chmod'
    ? `chmod ${repair.mode.toString(8)} ${repair.path}  (now ${modeOf(repair.path)})`
    : `rm ${repair.path}  (a copy is kept)`
}

export function backupFolder(state: string, now: Date): string {
  return join(state, `doctor-backup-${now.toISOString().replaceAll(/[:.]/g, '-')}`)
}

export function carryOutRepairs(repairs: readonly DoctorRepair[], state: string, now: Date): RepairReport {
  const backup = backupFolder(state, now)
  mkdirSync(backup, { recursive: true, mode: 0o700 })
  const before = repairs.map((repair) => ({
    ...repair,
    before: existsSync(repair.path) ? modeOf(repair.path) : null,
  }))
  writeFileSync(join(backup, 'changes.json'), `${JSON.stringify(before, null, 2)}\n`, { mode: 0o600 })
  const done: string[] = []
  const failed: string[] = []
  for (const [at, repair] of repairs.entries()) {
    const words = repairText(repair)
    try {
      change(repair, join(backup, `${at}-${basename(repair.path)}`))
      done.push(words)
    } catch (error) {
      if (!(error instanceof Error)) throw error
      failed.push(`${words}: ${error.message}`)
    }
  }
  return { backup, done, failed }
}

function change(repair: DoctorRepair, copy: string): void {
  // A link would lead the change to a place that nobody agreed to.
  if (lstatSync(repair.path).isSymbolicLink()) throw new Error('it is a link and was not changed')
  if (repair.kind === 'chmod') return chmodSync(repair.path, repair.mode)
  copyFileSync(repair.path, copy)
  chmodSync(copy, 0o600)
  rmSync(repair.path)
}

function modeOf(path: string): string {
  return existsSync(path) ? (statSync(path).mode & 0o777).toString(8).padStart(3, '0') : 'missing'
}
