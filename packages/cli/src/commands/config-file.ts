/** Owns `config.json` as a command sees it: one value of it found or put in its place, and how a value is written. */
import { isSettings, type Settings } from '@countersign/contract/node'
import { settingProblems, settingRows, unknownSetting } from '@countersign/contract/settings'

/** What is wrong with the name of a setting; nothing where there is one. */
export function namedSetting(name: string): string | undefined {
  if (settingRows.some((row) => row.name === name)) return undefined
  const below = settingRows.filter((row) => row.name.startsWith(`${name}.`)).map((row) => row.name)
  return below.length === 0 ? unknownSetting(name) : `\`${name}\` has parts: ${below.join(', ')}.`
}

export function valueAt(settings: Settings, name: string): unknown {
  return name
    .split('.')
    .reduce<unknown>((value, part) => (isSettings(value) ? value[part] : undefined), settings)
}

export function withValue(settings: Settings, name: string, value: unknown): Settings {
  const [first = '', ...rest] = name.split('.')
  if (rest.length === 0) return { ...settings, [first]: value }
  const inner = settings[first]
  return { ...settings, [first]: withValue(isSettings(inner) ? inner : {}, rest.join('.'), value) }
}

/** A part that is left empty goes, too. */
export function withoutValue(settings: Settings, name: string): Settings {
  const [first = '', ...rest] = name.split('.')
  const { [first]: inner, ...others } = settings
  if (rest.length === 0 || !isSettings(inner)) return others
  const left = withoutValue(inner, rest.join('.'))
  return Object.keys(left).length === 0 ? others : { ...others, [first]: left }
}

/** What a word of a command line means for this setting: JSON, itself, or a list of names. The first that fits. */
export function meant(settings: Settings, name: string, text: string): Settings {
  const tried = [...parsed(text), text, namesIn(text)].map((value) => withValue(settings, name, value))
  const fits = (candidate: Settings) =>
    !settingProblems(candidate).some((problem) => problem.startsWith(`\`${name}`))
  return tried.find(fits) ?? tried[0] ?? settings
}

export function valueText(value: unknown): string {
  if (value === null || value === undefined) return '–'
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(entryText).join(', ')
  return JSON.stringify(value)
}

function entryText(entry: unknown): string {
  if (isSettings(entry) && 'host' in entry) return `${String(entry['host'])}:${String(entry['port'])}`
  return typeof entry === 'string' ? entry : JSON.stringify(entry)
}

function parsed(text: string): unknown[] {
  try {
    const value: unknown = JSON.parse(text)
    return [value]
  } catch (error) {
    if (error instanceof SyntaxError) return []
    throw error
  }
}

function namesIn(text: string): string[] {
  return text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
}
