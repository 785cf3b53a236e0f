/** Asks the service manager of this user: whether it answers at all, and how the service does. */
import type { RunProgram } from '../run-program.ts'
import * as launchd from './launchd.ts'
import type { ServicePlace } from './place.ts'
import { commandLine, type RunStep, refusalOf } from './step.ts'
import * as systemd from './systemd.ts'

/** Why nothing can be asked of the service manager; undefined when it answers. */
export async function silenceOf(place: ServicePlace, start: RunProgram): Promise<string | undefined> {
  const step = place.system === 'systemd' ? systemd.probe : launchd.probe(place.user)
  const why = refusalOf(step.program, await start(step.program, step.args))
  return why === undefined ? undefined : `\`${commandLine(step)}\` does not answer: ${why}`
}

export async function serviceState(place: ServicePlace, start: RunProgram): Promise<systemd.UnitState> {
  const step: RunStep = place.system === 'systemd' ? systemd.lookStep(place.name) : launchd.lookStep(place)
  const ran = await start(step.program, step.args)
  const output = ran.kind === 'ran' && ran.code === 0 ? ran.output : ''
  return place.system === 'systemd' ? systemd.unitState(output) : launchd.agentState(output)
}
