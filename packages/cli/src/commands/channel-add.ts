/** `countersign channel add` and `set`: what a channel is told about its platform, and its secrets. */
import {
  type ChannelChoices,
  type ChannelKindView,
  ChannelName,
  type ChannelSetting,
  type ChannelView,
  channelHookPath,
  channelSettings,
  settingValue,
} from '@countersign/contract'
import type { Client } from '@countersign/contract/client'
import { asking } from '../asking/asking.ts'
import type { Context, Handler, OptionValues } from '../context.ts'
import { done } from '../output/answer.ts'
import { usage } from '../output/failure.ts'
import { ledgerMark } from '../output/receipt.ts'
import { line } from '../output/safe-text.ts'
import { channelNamed } from './channel.ts'
import { kindNamed, stepsText } from './channel-kinds.ts'
import { readChannelSecrets } from './channel-secrets.ts'
import { channelNotes, stateWords } from './channel-words.ts'

type Settings = Readonly<Record<string, unknown>>

const lookEveryMs = 500
const patienceMs = 15_000
const unchanged = () => done({ stored: false }, 'Nothing was changed.')

export const add: Handler = async (context, [name = ''], options) => {
  if (!ChannelName.safeParse(name).success)
    return usage(
      `${line(name)} is not a name for a channel: lower case letters, digits, - and _, as in chat.`,
      'channel add',
    )
  if (typeof options.kind !== 'string')
    return usage('Name a kind: --kind telegram. `countersign channel kinds` lists them.', 'channel add')
  const { client } = await context.gateway()
  const [kind, channels] = await Promise.all([kindNamed(client, options.kind), client.channels()])
  const known = channels.find((each) => each.name === name)
  if (known && known.kind !== kind.kind)
    return usage(
      `There is a channel ${line(name)} already, of another kind. Choose another name.`,
      'channel add',
    )
  if (context.interactive && kind.steps.length > 0)
    context.say(`${line(kind.title)}: what to do first\n${stepsText(kind)}\n`)
  const given = givenSettings(kind, options)
  if (typeof given === 'string') return usage(given, 'channel add')
  const settings = await completed(context, channelSettings(kind.settings), { ...known?.settings, ...given })
  if (typeof settings === 'string') return usage(settings, 'channel add')
  const secrets =
    settings && (await readChannelSecrets(context, { secrets: kind.secrets, kept: known !== undefined }))
  if (!settings || !secrets) return unchanged()
  const stored = await client.storeChannel(name, { kind: kind.kind, settings, secrets, choices: {} })
  const view = await settled(context, client, name)
  return done({ ...stored, state: view.state, problem: view.problem }, () =>
    [
      `${stored.replaced ? 'Changed' : 'Added'} ${line(name)}.${ledgerMark(stored.ledger)}`,
      standing(view),
      ...channelNotes(view),
      ...(kind.web
        ? [`Have the platform send to ${channelHookPath(line(name))} at the public address of the gateway.`]
        : []),
      ...(kind.bindable && kind.direction === 'both' && view.people === 0
        ? [
            'Write to it from your own account. It answers with a code: `countersign peer admit <code> --as operator` lets you in.',
          ]
        : []),
    ].join('\n'),
  )
}

export const set: Handler = async (context, [name = ''], options) => {
  const choices = choicesOf(options)
  if (typeof choices === 'string') return usage(choices, 'channel set')
  const { secret } = options
  const changesStored = options.set !== undefined || typeof secret === 'string'
  if (!changesStored && Object.keys(choices).length === 0)
    return usage('Say what to change: --set, --secret, --group, --approvals or --notices.', 'channel set')
  const { client } = await context.gateway()
  const channel = await channelNamed(client, name)
  if (!changesStored) {
    const { ledger } = await client.chooseChannel(name, choices)
    return done({ name, choices, ledger }, `Changed ${line(name)}.${ledgerMark(ledger)}`)
  }
  const kind = await kindNamed(client, channel.kind)
  const given = givenSettings(kind, options)
  if (typeof given === 'string') return usage(given, 'channel set')
  const replaced = kind.secrets.filter((each) => each.name === secret)
  if (typeof secret === 'string' && replaced.length === 0)
    return usage(
      `${line(channel.title)} has no secret ${line(secret)}. It has: ${kind.secrets.map((each) => line(each.name)).join(', ')}.`,
      'channel set',
    )
  const secrets = await readChannelSecrets(context, { secrets: replaced, kept: false })
  if (!secrets) return unchanged()
  const settings = { ...channel.settings, ...given }
  const stored = await client.storeChannel(name, { kind: kind.kind, settings, secrets, choices })
  const view = await settled(context, client, name)
  return done({ ...stored, state: view.state, problem: view.problem }, () =>
    [`Changed ${line(name)}.${ledgerMark(stored.ledger)}`, standing(view), ...channelNotes(view)].join('\n'),
  )
}

/** How it stands once the platform has said something, or after a while. */
async function settled(context: Context, client: Client, name: string): Promise<ChannelView> {
  context.working(`Connecting ${line(name)}`)
  const patience = context.flags.waitMs ?? patienceMs
  for (let waited = 0; ; waited += lookEveryMs) {
    const view = await channelNamed(client, name)
    if (view.state !== 'connecting' || waited >= patience) return view
    await context.host.wait(lookEveryMs)
  }
}

function standing({ name, state, account }: ChannelView): string {
  if (state === 'connected')
    return account === null ? 'It is connected.' : `It is connected as ${line(account.name)}.`
  return `It is ${stateWords[state]}. Look again with \`countersign channel show ${line(name)}\`.`
}

/** A sentence where a setting cannot be read. */
function givenSettings(kind: ChannelKindView, { set }: OptionValues): Settings | string {
  const known = channelSettings(kind.settings)
  const given: Record<string, unknown> = {}
  for (const pair of typeof set === 'string' ? set.split('\0') : []) {
    const at = pair.indexOf('=')
    const name = pair.slice(0, Math.max(at, 0))
    const setting = known.find((each) => each.name === name)
    if (!setting)
      return known.length === 0
        ? `${line(kind.title)} has no settings.`
        : `--set ${line(pair)}: give a setting and its value, with one of ${known.map((each) => line(each.name)).join(', ')}.`
    const read = settingValue(setting, pair.slice(at + 1))
    if (read.kind === 'problem')
      return `--set ${line(name)}: ${settingProblems[read.expected]}${choicesText(setting)}.`
    given[name] = read.value
  }
  return given
}

const settingProblems = {
  number: 'that is not a number',
  flag: 'say true or false',
  choice: 'choose from',
  json: 'that is not JSON',
}

const choicesText = ({ choices }: ChannelSetting): string =>
  choices.length === 0 ? '' : ` ${choices.map(line).join(', ')}`

/** Asks for what is missing; a sentence where it cannot, and nothing when the operator thought better of it. */
async function completed(
  context: Context,
  known: readonly ChannelSetting[],
  given: Settings,
): Promise<Settings | string | undefined> {
  const missing = known.filter(({ name, required }) => required && given[name] === undefined)
  if (missing.length === 0) return given
  if (!context.interactive)
    return `These settings are missing: ${missing.map(({ name }) => `--set ${line(name)}=…`).join(' ')}.`
  const ask = await asking(context)
  const settings: Record<string, unknown> = { ...given }
  for (const setting of missing) {
    const answer = await ask.text({
      message: setting.about === '' ? line(setting.name) : `${line(setting.name)}: ${line(setting.about)}`,
      instead: `Give --set ${line(setting.name)}=….`,
      problem: (typed) => typedProblem(setting, typed),
    })
    if (answer.kind === 'left') return undefined
    const read = settingValue(setting, answer.value)
    if (read.kind === 'value') settings[setting.name] = read.value
  }
  return settings
}

function typedProblem(setting: ChannelSetting, typed: string): string | undefined {
  if (typed === '') return 'This is needed.'
  const read = settingValue(setting, typed)
  if (read.kind === 'value') return undefined
  const problem = settingProblems[read.expected]
  return `${problem.charAt(0).toUpperCase()}${problem.slice(1)}${choicesText(setting)}.`
}

function choicesOf({ group, approvals, notices }: OptionValues): Partial<ChannelChoices> | string {
  for (const [name, state] of Object.entries({ approvals, notices }))
    if (state !== undefined && state !== 'on' && state !== 'off') return `--${name}: say on or off.`
  return {
    ...(typeof group === 'string' ? { groups: group === 'none' ? [] : group.split('\0') } : {}),
    ...(approvals === undefined ? {} : { approvals: approvals === 'on' }),
    ...(notices === undefined ? {} : { notices: notices === 'on' }),
  }
}
