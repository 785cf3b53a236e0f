/**
 * Owns how the settings of a channel are read from the JSON schema of its kind: which there are, and what a typed text
 * means for each. Pure. It refuses only what cannot be read; whether a value is right is for the gateway to say.
 */

export interface ChannelSetting {
  readonly name: string
  readonly kind: 'text' | 'number' | 'flag' | 'choice' | 'list' | 'other'
  readonly about: string
  /** A text of several lines, such as a certificate. */
  readonly long: boolean
  readonly choices: readonly string[]
  /** It has to be given, since nothing stands for it. */
  readonly required: boolean
  /** What stands for it where it is left out, as text; null where nothing does. */
  readonly usual: string | null
}

export type SettingRead =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'problem'; readonly expected: 'number' | 'flag' | 'choice' | 'json' }

const longestLine = 2_000

type Schema = Readonly<Record<string, unknown>>

export function channelSettings(schema: Schema): ChannelSetting[] {
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  return Object.entries(recordOf(schema['properties'])).map(([name, given]) => {
    const part = recordOf(given)
    const type = withoutNull(part)
    const choices = textsIn(type['enum'])
    const hasUsual = 'default' in part
    return {
      name,
      kind: choices.length > 0 ? 'choice' : kindOf(type),
      long: typeof type['maxLength'] === 'number' && type['maxLength'] > longestLine,
      about: [part, type].map((each) => each['description']).find((each) => typeof each === 'string') ?? '',
      choices,
      required: required.includes(name) && !hasUsual,
      usual: hasUsual ? settingText(part['default']) : null,
    }
  })
}

export function settingValue({ kind, choices }: ChannelSetting, text: string): SettingRead {
  switch (kind) {
    case 'text':
      return { kind: 'value', value: text }
    case 'number': {
      const number = Number(text)
      return text.trim() === '' || !Number.isFinite(number)
        ? { kind: 'problem', expected: 'number' }
        : { kind: 'value', value: number }
    }
    case 'flag': {
      const value = flags[text.trim().toLowerCase()]
      return value === undefined ? { kind: 'problem', expected: 'flag' } : { kind: 'value', value }
    }
    case 'choice':
      return choices.includes(text) ? { kind: 'value', value: text } : { kind: 'problem', expected: 'choice' }
    case 'list':
      return { kind: 'value', value: listIn(text) }
    case 'other':
      try {
        return { kind: 'value', value: JSON.parse(text) as unknown }
      } catch {
        return { kind: 'problem', expected: 'json' }
      }
  }
}

/** As `settingValue` reads it. */
export function settingText(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return value
  return Array.isArray(value) && value.every((each) => typeof each === 'string')
    ? value.join('\n')
    : JSON.stringify(value)
}

/** Where the platform sends to, below the address of the gateway that it can reach. */
export const channelHookPath = (name: string): string => `/hooks/channels/${name}`

/** Separated by commas or lines. */
export function listIn(text: string): string[] {
  return text
    .split(/[,\n]/)
    .map((each) => each.trim())
    .filter((each) => each !== '')
}

const flags: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  on: true,
  false: false,
  no: false,
  off: false,
}

function kindOf(type: Schema): ChannelSetting['kind'] {
  switch (type['type']) {
    case 'string':
      return 'text'
    case 'number':
    case 'integer':
      return 'number'
    case 'boolean':
      return 'flag'
    case 'array':
      return recordOf(type['items'])['type'] === 'string' ? 'list' : 'other'
    default:
      return 'other'
  }
}

/** What may also be nothing is read as what it is otherwise. */
function withoutNull(part: Schema): Schema {
  if (Array.isArray(part['type'])) return { ...part, type: part['type'].find((each) => each !== 'null') }
  const [only, ...more] = (Array.isArray(part['anyOf']) ? part['anyOf'] : [])
    .map(recordOf)
    .filter(({ type }) => type !== 'null')
  return only !== undefined && more.length === 0 ? only : part
}

function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []
}

function recordOf(value: unknown): Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}
