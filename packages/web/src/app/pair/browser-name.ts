/** Owns what a browser is called until somebody gives it a better name. Pure. */
import { words } from '../../words/pair.tsx'

export function browserName(agent: string): string {
  return words.nameOn(familyOf(agent), platformName(agent))
}

export function platformName(agent: string): string {
  if (/iPhone/.test(agent)) return 'iPhone'
  if (/iPad/.test(agent)) return 'iPad'
  if (/Android/.test(agent)) return 'Android'
  if (/Mac OS X/.test(agent)) return 'Mac'
  if (/Windows/.test(agent)) return 'Windows'
  if (/CrOS/.test(agent)) return 'ChromeOS'
  if (/Linux/.test(agent)) return 'Linux'
  return words.thisComputer
}

function familyOf(agent: string): string {
  if (/Edg\//.test(agent)) return 'Edge'
  if (/OPR\//.test(agent)) return 'Opera'
  if (/Firefox\/|FxiOS\//.test(agent)) return 'Firefox'
  if (/Chrome\/|CriOS\//.test(agent)) return 'Chrome'
  if (/Safari\//.test(agent)) return 'Safari'
  return words.browser
}
