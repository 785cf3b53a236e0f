/** Owns the steps of every verb of `countersign service`. Computes only: the list is shown or carried out by others. */
import { dirname } from 'node:path'
import * as launchd from './launchd.ts'
import type { ServicePaths } from './service-paths.ts'
import type { ServiceStep } from './service-step.ts'
import { shimText } from './shim.ts'
import * as systemd from './systemd.ts'

export interface Programs {
  readonly node: string
  readonly program: string
}

export type Verb = 'start' | 'stop' | 'restart'

export function installSteps(servicePaths: ServicePaths, programs: Programs): ServiceStep[] {
  const files: ServiceStep[] = [
    { kind: 'folder', path: dirname(servicePaths.log) },
    { kind: 'write', path: servicePaths.shim, text: shimText(programs), mode: 0o755 },
    { kind: 'write', path: servicePaths.file, text: serviceText(servicePaths), mode: 0o600 },
  ]
  return servicePaths.system === 'systemd'
    ? [...files, systemd.reload, ...systemd.verbSteps('enable', servicePaths.name)]
    : [...files, ...launchd.enable(servicePaths)]
}

export function verbSteps(verb: Verb, servicePaths: ServicePaths): ServiceStep[] {
  if (servicePaths.system === 'systemd') return systemd.verbSteps(verb, servicePaths.name)
  switch (verb) {
    case 'start':
      return launchd.start(servicePaths)
    case 'stop':
      return launchd.stop(servicePaths)
    case 'restart':
      return launchd.restart(servicePaths)
  }
}

/** A service that does not run, or that the manager has forgotten, can be removed as well. */
export function uninstallSteps(servicePaths: ServicePaths): ServiceStep[] {
  const files: ServiceStep[] = [
    { kind: 'remove', path: servicePaths.file },
    { kind: 'remove', path: servicePaths.shim },
  ]
  const ended =
    servicePaths.system === 'systemd'
      ? systemd.verbSteps('disable', servicePaths.name)
      : launchd.stop(servicePaths)
  const steps = [...ended, ...files, ...(servicePaths.system === 'systemd' ? [systemd.reload] : [])]
  return steps.map((step) => (step.kind === 'run' ? { ...step, mayFail: true } : step))
}

export function serviceText(servicePaths: ServicePaths): string {
  return servicePaths.system === 'systemd' ? systemd.unitText(servicePaths) : launchd.agentText(servicePaths)
}

/** The program that a service file starts. */
export function startedBy(servicePaths: Pick<ServicePaths, 'system'>, text: string): string | undefined {
  return servicePaths.system === 'systemd' ? systemd.unitProgram(text) : launchd.agentProgram(text)
}
