/**
 * `countersign config`: the settings of the gateway, checked as the gateway checks them. Refuses a change that lets the
 * assistant do more: that is decided where it is sealed and written to the ledger.
 */
import { CountersignError, errorCatalogue } from '@countersign/contract'
import { readSettings, replaceFile, type Settings } from '@countersign/contract/node'
import { ConfigFile, settingProblems, settingRows } from '@countersign/contract/settings'
import type { Context, Handler } from '../context.ts'
import { liveLeases } from '../leases.ts'
import { type CommandAnswer, done, failed } from '../output/answer.ts'
import { columns } from '../output/columns.ts'
import { usage } from '../output/failure.ts'
import { line } from '../output/safe-text.ts'
import { meant, namedSetting, valueAt, valueText, withoutValue } from './config-file.ts'
import { loosening } from './config-loosening.ts'

export const show: Handler = async (context) => {
  const { config } = await context.paths()
  const settings = readSettings(config)
  const inForce = effective(settings)
  const rows = settingRows.map(({ name, about, variable }) => {
    const set = variable === undefined ? undefined : context.host.environment.settings[variable]
    const from = set !== undefined ? variable : valueAt(settings, name) === undefined ? 'default' : 'file'
    const value = set ?? valueAt(inForce, name) ?? null
    return { name, value, from: from ?? 'default', about }
  })
  return done({ file: config, settings: rows }, () =>
    [
      columns([
        ['Setting', 'Value', 'From'],
        ...rows.map(({ name, value, from }) => [name, line(valueText(value)), from]),
      ]),
      '',
      `File: ${line(config)}`,
    ].join('\n'),
  )
}

export const get: Handler = async (context, [name = '']) => {
  const wrong = namedSetting(name)
  if (wrong !== undefined) return unknown(wrong)
  const { config } = await context.paths()
  const value = valueAt(effective(readSettings(config)), name) ?? null
  return done({ name, value }, line(valueText(value)))
}

export const set: Handler = async (context, words) => {
  const pairs = pairsIn(words)
  if (pairs === undefined)
    return usage('Give a setting and its value, and then perhaps others.', 'config set')
  const wrong = pairs.flatMap(([name]) => namedSetting(name) ?? [])
  if (wrong.length > 0) return unknown(wrong.join(' '))
  const { config } = await context.paths()
  const before = readSettings(config)
  const after = pairs.reduce((settings, [name, text]) => meant(settings, name, text), before)
  const problems = settingProblems(after)
  if (problems.length > 0) return invalid(problems, 'Nothing was changed.')
  return changed(
    context,
    config,
    pairs.map(([name]) => name),
    { before, after },
  )
}

function pairsIn(words: readonly string[]): [string, string][] | undefined {
  if (words.length % 2 === 1) return undefined
  return words.flatMap((word, at): [string, string][] => (at % 2 === 0 ? [[word, words[at + 1] ?? '']] : []))
}

export const unset: Handler = async (context, [name = '']) => {
  const wrong = namedSetting(name)
  if (wrong !== undefined) return unknown(wrong)
  const { config } = await context.paths()
  const before = readSettings(config)
  if (valueAt(before, name) === undefined)
    return done({ name, changed: false }, `\`${name}\` is not in the file; its default holds.`)
  const after = withoutValue(before, name)
  const problems = settingProblems(after)
  if (problems.length > 0) return invalid(problems, 'Nothing was changed.')
  return changed(context, config, [name], { before, after })
}

export const path: Handler = async (context) => {
  const { config } = await context.paths()
  return done({ file: config }, line(config))
}

export const check: Handler = async (context) => {
  const { config } = await context.paths()
  const problems = settingProblems(readSettings(config))
  if (problems.length === 0) return done({ file: config, problems }, `${line(config)} is right.`)
  return invalid(problems, `Correct ${line(config)}, or use \`countersign config set\` and \`unset\`.`)
}

async function changed(
  context: Context,
  file: string,
  names: readonly string[],
  { before, after }: { readonly before: Settings; readonly after: Settings },
): Promise<CommandAnswer> {
  for (const name of names) {
    const more = loosening(name, effective(before), effective(after))
    if (more !== undefined)
      throw new CountersignError(
        'usage',
        `\`${name}\` says what the assistant may do. Nothing was changed.`,
        {
          next: more,
        },
      )
  }
  replaceFile(file, `${JSON.stringify(after, null, 2)}\n`)
  const restart = liveLeases(await context.paths()).length > 0
  const values = names.map((name) => ({ name, value: valueAt(effective(after), name) ?? null }))
  return done({ settings: values, file, changed: true, restart }, () =>
    [
      ...values.map(({ name, value }) => `\`${name}\` is now ${line(valueText(value))}.`),
      restart
        ? 'The gateway runs with the old settings. Restart it: `countersign down`, then `countersign up`.'
        : 'The next start of the gateway uses it.',
      ...names.flatMap((name) => shadowed(context, name)),
    ].join('\n'),
  )
}

/** What stands above the file would hold all the same. */
function shadowed({ host }: Context, name: string): string[] {
  const variable = settingRows.find((row) => row.name === name)?.variable
  return variable !== undefined && host.environment.settings[variable] !== undefined
    ? [`${variable} is set here and stands above the file.`]
    : []
}

/** With the defaults of everything that the file leaves open. */
function effective(settings: Settings): Settings {
  const read = ConfigFile.safeParse(settings)
  return read.success ? read.data : settings
}

function unknown(message: string): CommandAnswer {
  const next = '`countersign config show` lists the settings.'
  return failed({ type: 'usage', message, next, exit: errorCatalogue.usage.exit })
}

function invalid(problems: readonly string[], next: string): CommandAnswer {
  return failed({
    type: 'config_invalid',
    message: problems.map(line).join('\n'),
    next,
    exit: errorCatalogue.config_invalid.exit,
    details: { problems },
  })
}
