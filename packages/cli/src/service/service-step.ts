/** Owns what is done to this host, one step after another, as data: the same list is shown and carried out. */
import { chmodSync, existsSync, lstatSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { ProgramResult, RunProgram } from '../run-program.ts'

export type ServiceStep =
  | { readonly kind: 'folder'; readonly path: string }
  | { readonly kind: 'write'; readonly path: string; readonly text: string; readonly mode: number }
  | { readonly kind: 'remove'; readonly path: string }
  | {
      readonly kind: 'run'
      readonly program: string
      readonly args: readonly string[]
      /** Goes on also when the program says no. */
      readonly mayFail: boolean
    }

export type WriteStep = Extract<ServiceStep, { kind: 'write' }>
export type RunStep = Extract<ServiceStep, { kind: 'run' }>

export type StepsResult =
  | { readonly kind: 'done' }
  | { readonly kind: 'failed'; readonly step: RunStep | WriteStep; readonly why: string }

export function runStep(program: string, args: readonly string[]): RunStep {
  return { kind: 'run', program, args, mayFail: false }
}

/** Stops at the first program that refuses, and before a file that is a link: it would be written elsewhere. */
export async function carryOut(steps: readonly ServiceStep[], start: RunProgram): Promise<StepsResult> {
  for (const step of steps) {
    switch (step.kind) {
      case 'folder':
        mkdirSync(step.path, { recursive: true, mode: 0o700 })
        break
      case 'write':
        if (isLink(step.path)) return { kind: 'failed', step, why: 'it is a link; remove it, then try again' }
        mkdirSync(dirname(step.path), { recursive: true, mode: 0o700 })
        writeFileSync(step.path, step.text, { mode: step.mode })
        // A file that was there before keeps its mode otherwise.
        chmodSync(step.path, step.mode)
        break
      case 'remove':
        rmSync(step.path, { force: true })
        break
      case 'run': {
        const why = refusalOf(step.program, await start(step.program, step.args))
        if (why !== undefined && !step.mayFail) return { kind: 'failed', step, why }
      }
    }
  }
  return { kind: 'done' }
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true
}

/** Why a program did not do what it was asked; undefined when it did. */
export function refusalOf(program: string, ran: ProgramResult): string | undefined {
  if (ran.kind === 'missing') return `${program} is not installed`
  if (ran.code === 0) return undefined
  return (ran.errors.trim() || ran.output.trim() || `it ended with ${ran.code}`).split('\n')[0]
}

/** As it can be read and typed. A file is shown whole. */
export function stepText(step: ServiceStep): string {
  switch (step.kind) {
    case 'folder':
      return `make  ${step.path}  mode 700`
    case 'write':
      return `write ${step.path}  mode ${step.mode.toString(8)}\n${step.text.trimEnd().replaceAll(/^/gm, '  | ')}`
    case 'remove':
      return existsSync(step.path) ? `remove ${step.path}` : `remove ${step.path}  (does not exist)`
    case 'run':
      return `run   ${commandLine(step)}`
  }
}

export function commandLine({
  program,
  args,
}: {
  readonly program: string
  readonly args: readonly string[]
}): string {
  return [program, ...args]
    .map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`))
    .join(' ')
}
