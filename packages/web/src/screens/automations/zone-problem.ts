/** Owns what is said of a time zone that there is not. */
import { isZone } from '@countersign/contract'
import { words } from '../../words/automations.tsx'

export function zoneProblem(zone: string): string | undefined {
  return isZone(zone) ? undefined : words.form.zoneProblem
}
