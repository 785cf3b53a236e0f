/** Owns the steps of every verb of `countersign service`. Computes only: the list is shown or carried out by others. */
import { dirname } from 'node:path'
import * as launchd from './launchd.ts'
import type { ServicePlace } from './place.ts'
import { shimText } from './shim.ts'
import type { Step } from './step.ts'
import * as systemd from './systemd.ts'

export interface Programs {
  readonly node: string
  readonly program: string
}

export type Verb = 'start' | 'stop' | 'restart'

export function installSteps(place: ServicePlace, programs: Programs): Step[] {
  const files: Step[] = [
    { kind: 'folder', path: dirname(place.log) },
    { kind: 'write', path: place.shim, text: shimText(programs), mode: 0o755 },
    { kind: 'write', path: place.file, text: serviceText(place), mode: 0o600 },
  ]
  return place.system === 'systemd'
    ? [...files, systemd.reload, ...systemd.verbSteps('enable', place.name)]
    : [...files, ...launchd.enable(place)]
}

export function verbSteps(verb: Verb, place: ServicePlace): Step[] {
  if (place.system === 'systemd') return systemd.verbSteps(verb, place.name)
  switch (verb) {
    case 'start':
      return launchd.start(place)
    case 'stop':
      return launchd.stop(place)
    case 'restart':
      return launchd.restart(place)
  }
}

/** A service that does not run, or that the manager has forgotten, can be removed as well. */
export function uninstallSteps(place: ServicePlace): Step[] {
  const files: Step[] = [
    { kind: 'remove', path: place.file },
    { kind: 'remove', path: place.shim },
  ]
  const ended = place.system === 'systemd' ? systemd.verbSteps('disable', place.name) : launchd.stop(place)
  const steps = [...ended, ...files, ...(place.system === 'systemd' ? [systemd.reload] : [])]
  return steps.map((step) => (step.kind === 'run' ? { ...step, mayFail: true } : step))
}

export function serviceText(place: ServicePlace): string {
  return place.system === 'systemd' ? systemd.unitText(place) : launchd.agentText(place)
}

/** The program that a service file starts. */
export function startedBy(place: Pick<ServicePlace, 'system'>, text: string): string | undefined {
  return place.system === 'systemd' ? systemd.unitProgram(text) : launchd.agentProgram(text)
}
