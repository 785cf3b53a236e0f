/** Reads what was recorded. */
import { readFileSync } from 'node:fs'
import { type Scenario, scenarios } from './scenarios.ts'

export interface Recording extends Scenario {
  readonly bytes: Buffer
}

export function recordingAt({ name }: Pick<Scenario, 'name'>): URL {
  return new URL(`./recordings/${name}.txt`, import.meta.url)
}

export function readRecordings(): readonly Recording[] {
  return scenarios.map((scenario) => ({ ...scenario, bytes: readFileSync(recordingAt(scenario)) }))
}
