/** Owns how the settings of an agent are read from the command line. A sentence comes back where they cannot be. */
import { AgentChange } from '@countersign/contract'
import type { OptionValues } from '../context.ts'

const longestPrompt = 8_000

/** Only what was given. An empty text takes away what may be missing. */
export function changeOf(options: OptionValues): AgentChange | string {
  const { on, off, talks, silent } = options
  if (on === true && off === true) return 'Either --on or --off.'
  if (talks === true && silent === true) return 'Either --talks or --silent.'
  const given = {
    ...text(options, 'name', 'name'),
    ...removable(options, 'emoji', 'emoji'),
    ...removable(options, 'category', 'category'),
    ...text(options, 'description', 'description'),
    ...text(options, 'model', 'model'),
    ...number(options, 'maxTurns'),
    ...number(options, 'maxToolCalls'),
    ...number(options, 'maxTokens'),
    ...number(options, 'temperature', /^\d+(?:\.\d+)?$/),
    ...removable(options, 'folder', 'folder'),
    ...number(options, 'historyTokens'),
    ...(typeof options['omit'] === 'string'
      ? { omit: options['omit'] === '' ? null : listOf(options['omit']) }
      : {}),
    ...words(options, 'tools', 'tools'),
    ...words(options, 'groups', 'toolGroups'),
    ...dataOf(options),
    ...(typeof options['keywords'] === 'string'
      ? { triggers: { keywords: listOf(options['keywords']) } }
      : {}),
    ...(talks === true || silent === true ? { conversational: talks === true } : {}),
    ...(on === true || off === true ? { enabled: on === true } : {}),
  }
  const parsed = AgentChange.safeParse(given)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  return `${issue?.path.map(String).join('.') ?? 'A setting'}: ${issue?.message ?? 'is not right'}.`
}

/** All of what is piped; undefined where somebody sits there instead. */
export async function pipedPrompt(
  input: NodeJS.ReadableStream & { isTTY?: boolean },
): Promise<string | undefined> {
  if (input.isTTY === true) return undefined
  let read = ''
  for await (const part of input) {
    read += Buffer.from(part).toString('utf8')
    // The gateway refuses what is longer; there is no need to read all of it.
    if (read.length > 2 * longestPrompt) break
  }
  return read.trim()
}

export function listOf(value: string): string[] {
  return value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

function text(options: OptionValues, option: string, setting: string) {
  const value = options[option]
  return typeof value === 'string' ? { [setting]: value } : {}
}

function removable(options: OptionValues, option: string, setting: string) {
  const value = options[option]
  return typeof value === 'string' ? { [setting]: value === '' ? null : value } : {}
}

function number(options: OptionValues, option: string, shape = /^\d+$/) {
  const value = options[option]
  if (typeof value !== 'string') return {}
  return { [option]: value === '' ? null : shape.test(value) ? Number(value) : value }
}

function words(options: OptionValues, option: string, setting: string) {
  const value = options[option]
  return typeof value === 'string' ? { [setting]: listOf(value) } : {}
}

function dataOf(options: OptionValues) {
  const value = options['data']
  if (typeof value !== 'string') return {}
  if (value === 'all') return { dataAccess: null }
  return { dataAccess: listOf(value).filter((name) => name !== 'none') }
}
